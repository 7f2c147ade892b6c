// x to the power of one number; x is at least 0.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void pow_scalar(In<T> x, Out<T> y, float exponent) {
  expects(x.size() == y.size());
  ops::map<1024>(x, y,
                 [&](const auto &t) { return pow(t, full_like(t, exponent)); });
}
