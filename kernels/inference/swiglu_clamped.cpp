// a * sigmoid(1.702 a) * (b + 1) of the halves a and b of each row, a at most a
// limit, b between it and its negative.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void swiglu_clamped(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                      float limit) {
  expects(x.rows() == y.rows() && x.cols() == y.cols() * 2);
  ops::map_halves<1024>(x, y, [&](const auto &a, const auto &b) {
    auto gate = min(a, limit);
    auto linear = clamp(b, -limit, limit);
    return gate / (exp(gate * -1.702f) + 1.0f) * (linear + 1.0f);
  });
}
