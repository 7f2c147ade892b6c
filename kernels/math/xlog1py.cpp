// a * log(1 + b), 0 where a is 0.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void xlog1py(In<T> a, In<T> b, Out<T> y) {
  expects(a.size() == y.size() && b.size() == y.size());
  ops::map<2048>(a, b, y, [&](const auto &s, const auto &t) {
    return select(s == 0.0f, full_like(s, 0.0f), s * log(t + 1.0f));
  });
}
