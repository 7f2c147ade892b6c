// The gradient of sin.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void sin_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<1024>(x, g, y,
                 [&](const auto &t, const auto &g) { return g * cos(t); });
}
