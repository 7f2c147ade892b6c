// The logarithm to base 2.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void log2_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return log(t) * 1.4426950408889634f; });
}
