// The gradient of the mean absolute error with respect to x, scaled; 0 where x
// is the target.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void l1_backward(In<T> x, In<T> target, Out<T> dx,
                                   float scale) {
  expects(x.size() == dx.size() && target.size() == dx.size());
  ops::map<1024>(x, target, dx, [&](const auto &s, const auto &t) {
    auto d = s - t;
    auto zero = full_like(d, 0.0f), one = full_like(d, scale);
    return select(d > 0.0f, one, zero) - select(d < 0.0f, one, zero);
  });
}
