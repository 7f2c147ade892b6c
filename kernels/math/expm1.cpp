// exp(x) - 1.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void expm1_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return exp(t) - 1.0f; });
}
