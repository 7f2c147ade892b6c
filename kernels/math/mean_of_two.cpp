// (a + b) / 2 without overflow on the way.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void mean_of_two(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(a, b, y, [&](const auto &s, const auto &t) {
    return s * 0.5f + t * 0.5f;
  });
}
