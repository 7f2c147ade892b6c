// The gradient of tanh from its result x: g * (1 - x^2).
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void tanh_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return g * (1.0f - t * t);
  });
}
