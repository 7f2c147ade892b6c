// What a / b leaves, with the sign of b.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void remainder_of(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(a, b, y, [&](const auto &s, const auto &t) {
    return s - floor(s / t) * t;
  });
}
