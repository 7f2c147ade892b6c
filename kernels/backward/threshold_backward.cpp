// The gradient of threshold: what is passed above it.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void threshold_backward(In<T> x, In<T> g, Out<T> y,
                                          float threshold) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return select(t > threshold, g, full_like(g, 0.0f));
  });
}
