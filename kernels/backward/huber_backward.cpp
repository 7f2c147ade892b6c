// The gradient of the Huber loss with respect to x, scaled.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void huber_backward(In<T> x, In<T> target, Out<T> dx,
                                      float delta, float scale) {
  expects(x.size() == dx.size() && target.size() == dx.size());
  ops::map<2048>(x, target, dx, [&](const auto &s, const auto &t) {
    return clamp(s - t, -delta, delta) * scale;
  });
}
