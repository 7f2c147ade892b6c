// 0 where a is below 0, 1 where above, b where it is 0; NaN stays.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void heaviside(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(a, b, y, [&](const auto &s, const auto &t) {
    auto one = full_like(s, 1.0f);
    auto some = select(s > 0.0f, one, select(s < 0.0f, full_like(s, 0.0f), t));
    return select(s == s, some, s);
  });
}
