// The gradient of 1 / x, of its result.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void reciprocal_backward(In<T> result, In<T> g, Out<T> dx) {
  expects(result.size() == dx.size() && g.size() == dx.size());
  ops::map<2048>(result, g, dx,
                 [&](const auto &s, const auto &t) { return -t * s * s; });
}
