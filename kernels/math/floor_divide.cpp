// a / b, rounded down.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void floor_divide(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(a, b, y,
                 [&](const auto &s, const auto &t) { return floor(s / t); });
}
