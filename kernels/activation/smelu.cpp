// 0 below -beta, x above beta, a parabola between them.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void smelu(In<T> x, Out<T> y, float beta) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    auto p = clamp(t, -beta, beta) + beta;
    auto m = p * p / (beta * 4.0f);
    return select(t > beta, t, m);
  });
}
