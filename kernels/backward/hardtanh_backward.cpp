// The gradient of clamping between low and high.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void hardtanh_backward(In<T> x, In<T> g, Out<T> y, float low,
                                         float high) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return select((t > low) & (t < high), g, full_like(g, 0.0f));
  });
}
