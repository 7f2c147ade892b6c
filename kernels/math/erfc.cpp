// 1 - erf(x).
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void erfc_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) { return 1.0f - erf(t); });
}
