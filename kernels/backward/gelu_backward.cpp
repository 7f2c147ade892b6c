// The gradient of GELU by the error function.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void gelu_backward(In<T> x, In<T> g, Out<T> y) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<2048>(x, g, y, [&](const auto &t, const auto &g) {
    return g * ((erf(t * 0.70710678f) + 1.0f) * 0.5f +
                t * exp(t * t * -0.5f) * 0.3989422804f);
  });
}
