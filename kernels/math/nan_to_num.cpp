// x with NaN replaced by a number, and infinities by bounds.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void nan_to_num(In<T> x, Out<T> y, float nan, float low,
                                  float high) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    auto kept = clamp(t, low, high);
    return select(t == t, kept, full_like(t, nan));
  });
}
