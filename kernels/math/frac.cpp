// x without its integer part; the sign stays.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void frac(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return t - trunc(t); });
}
