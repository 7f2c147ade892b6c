// The logarithm to base 10.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void log10_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return log(t) * 0.4342944819032518f; });
}
