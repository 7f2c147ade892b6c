// sin(pi x) / (pi x), 1 where x is 0.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void sinc(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map<1024>(x, y, [&](const auto &t) {
    auto a = t * 3.14159265359f;
    return select(t == 0.0f, full_like(t, 1.0f), sin(a) / a);
  });
}
