// The magnitude of a with the sign of b; the sign of 0 counts as positive.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void copysign_of(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(a, b, y, [&](const auto &s, const auto &t) {
    auto m = abs(s);
    return select(t < 0.0f, -m, m);
  });
}
