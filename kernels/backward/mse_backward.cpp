// The gradient of mean((x - g)^2) with respect to x, times scale / 2.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void mse_backward(In<T> x, In<T> g, Out<T> y, float scale) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y,
                 [&](const auto &t, const auto &g) { return (t - g) * scale; });
}
