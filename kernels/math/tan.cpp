// The tangent of x.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void tan_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map<1024>(x, y, [&](const auto &t) { return sin(t) / cos(t); });
}
