// sqrt(a^2 + b^2), without overflow.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void hypot_of(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(a, b, y, [&](const auto &s, const auto &t) {
    auto large = max(abs(s), abs(t));
    auto ratio = min(abs(s), abs(t)) / max(large, 1e-37f);
    return large * sqrt(ratio * ratio + 1.0f);
  });
}
