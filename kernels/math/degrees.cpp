// Radians as degrees.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void degrees(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return t * 57.29577951308232f; });
}
