// x * sigmoid(x) where x is positive, (exp(x) - 1) * sigmoid(x) elsewhere.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void elish(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map<1024>(x, y, [&](const auto &t) {
    auto s = 1.0f / (exp(-t) + 1.0f);
    return select(t > 0.0f, t * s, (exp(t) - 1.0f) * s);
  });
}
