// (x + sqrt(x^2 + b)) / 2, a softplus without exponentials; where x is
// negative, as a quotient, which does not cancel.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void squareplus(In<T> x, Out<T> y, float b) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    auto m = abs(t), a = min(m, 1.0e18f);
    auto s = select(m > 1.0e18f, m, (sqrt(a * a + b) + a) * 0.5f);
    return select(t < 0.0f, b * 0.25f / s, s);
  });
}
