// The gradient of x - tanh(x).
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void tanhshrink_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    auto h = tanh(t);
    return g * h * h;
  });
}
