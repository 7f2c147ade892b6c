// The gradient of x^n for a whole number n of at least 1, x at least 0.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void pow_backward(In<T> x, In<T> g, Out<T> y,
                                    float exponent) {
  expects(x.size() == y.size() && g.size() == y.size());
  ops::map<1024>(x, g, y, [&](const auto &t, const auto &g) {
    return g * pow(t, full_like(t, exponent - 1.0f)) * exponent;
  });
}
