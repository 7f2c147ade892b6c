// x without its fraction.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void trunc_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return trunc(t); });
}
