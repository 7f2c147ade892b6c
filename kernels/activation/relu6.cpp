// x, kept between 0 and 6.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void relu6(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return clamp(t, 0.0f, 6.0f); });
}
