// x * sigmoid(beta x).
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void swish_beta(In<T> x, Out<T> y, float beta) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y,
                 [&](const auto &t) { return t / (exp(t * -beta) + 1.0f); });
}
