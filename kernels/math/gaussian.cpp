// exp(-(x - mean)^2 / (2 sigma^2)) of a bell curve, not scaled.
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void gaussian(In<T> x, Out<T> y, float mean, float sigma) {
  expects(x.size() == y.size());
  ops::map<2048>(x, y, [&](const auto &t) {
    auto d = (t - mean) / sigma;
    return exp(d * d * -0.5f);
  });
}
