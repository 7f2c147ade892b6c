// The gradient of hardsigmoid.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void hardsigmoid_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return select((t > -3.0f) & (t < 3.0f), g * (1.0f / 6), full_like(g, 0.0f));
  });
}
