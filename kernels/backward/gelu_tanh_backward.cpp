// The gradient of GELU by the hyperbolic tangent.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void gelu_tanh_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<1024>(x, g, y, [&](const auto &t, const auto &g) {
    auto h = tanh((t + t * t * t * 0.044715f) * 0.7978845608f);
    auto inner = (t * t * 0.134145f + 1.0f) * 0.7978845608f;
    return g * ((h + 1.0f) * 0.5f + t * 0.5f * (1.0f - h * h) * inner);
  });
}
