// The hyperbolic sine of x.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void sinh_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return (exp(t) - exp(-t)) * 0.5f; });
}
