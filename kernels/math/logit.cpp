// log(x / (1 - x)), x kept between eps and 1 - eps.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void logit(In<T> x, Out<T> y, float eps) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    auto p = clamp(t, eps, 1.0f - eps);
    return log(p / (1.0f - p));
  });
}
