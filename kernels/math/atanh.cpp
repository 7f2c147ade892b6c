// The inverse of the hyperbolic tangent; NaN outside of -1 to 1.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void atanh_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map<2048>(
      x, y, [&](const auto &t) { return log((t + 1.0f) / (1.0f - t)) * 0.5f; });
}
