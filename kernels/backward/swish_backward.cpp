// The gradient of x * sigmoid(x).
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void swish_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    auto s = sigmoid(t);
    return g * (s * ((1.0f - s) * t + 1.0f));
  });
}
