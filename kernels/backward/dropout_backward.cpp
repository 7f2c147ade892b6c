// The gradient of dropout: what a mask of zeros and ones has kept, scaled.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void dropout_backward(In<T> g, In<T> mask, Out<T> dx,
                                        float scale) {
  expects(g.size() == dx.size() && mask.size() == dx.size());
  ops::map<2048>(g, mask, dx,
                 [&](const auto &s, const auto &t) { return s * t * scale; });
}
