// x + sin(a x)^2 / a, for periodic signals.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void snake(In<T> x, Out<T> y, float a) {
  expects(x.size() == y.size());
  ops::map<1024>(x, y, [&](const auto &t) {
    auto s = sin(t * a);
    return t + s * s / a;
  });
}
