// The inverse of the hyperbolic sine.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void asinh_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    auto a = abs(t);
    auto r = log(a + sqrt(a * a + 1.0f));
    return select(t < 0.0f, -r, r);
  });
}
