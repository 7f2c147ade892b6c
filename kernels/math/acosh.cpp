// The inverse of the hyperbolic cosine; NaN below 1.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void acosh_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return log(t + sqrt(t * t - 1.0f)); });
}
