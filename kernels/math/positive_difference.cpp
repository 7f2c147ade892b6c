// a - b where that is positive, 0 elsewhere.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void positive_difference(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(
      a, b, y, [&](const auto &s, const auto &t) { return max(s - t, 0.0f); });
}
