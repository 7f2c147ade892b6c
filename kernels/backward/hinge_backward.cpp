// The gradient of max(0, 1 - x * target) with respect to x, scaled.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void hinge_backward(In<T> x, In<T> target, Out<T> dx,
                                      float scale) {
  expects(x.size() == dx.size() && target.size() == dx.size());
  ops::map<2048>(x, target, dx, [&](const auto &s, const auto &t) {
    return select(s * t < 1.0f, t * -scale, full_like(t, 0.0f));
  });
}
