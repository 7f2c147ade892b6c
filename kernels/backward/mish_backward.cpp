// The gradient of x * tanh(softplus(x)).
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void mish_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<1024>(x, g, y, [&](const auto &t, const auto &g) {
    auto p = max(t, 0.0f) + log(exp(-abs(t)) + 1.0f);
    auto h = tanh(p);
    auto s = 1.0f / (exp(-t) + 1.0f);
    return g * (h + t * s * (1.0f - h * h));
  });
}
