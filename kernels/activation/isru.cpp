// x / sqrt(1 + alpha x^2).
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void isru(In<T> x, Out<T> y, float alpha) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    auto c = clamp(t, -1.0e18f, 1.0e18f);
    return c / sqrt(c * c * alpha + 1.0f);
  });
}
