// x rounded to multiples of 1 / scale, halves to even; beyond 2^23 all are
// whole.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void round_decimals(In<T> x, Out<T> y, float scale) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    return select(abs(t) > 8388608.0f, t, round(t * scale) / scale);
  });
}
