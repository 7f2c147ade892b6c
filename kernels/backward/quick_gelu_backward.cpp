// The gradient of x * sigmoid(1.702 x).
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void quick_gelu_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<1024>(x, g, y, [&](const auto &t, const auto &g) {
    auto s = 1.0f / (exp(t * -1.702f) + 1.0f);
    return g * (s + t * 1.702f * s * (1.0f - s));
  });
}
