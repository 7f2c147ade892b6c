// The gradient of x / (1 + |x|).
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void softsign_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    auto d = abs(t) + 1.0f;
    return g / (d * d);
  });
}
