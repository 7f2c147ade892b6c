// x where it exceeds lambda in magnitude, 0 elsewhere.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void hardshrink(In<T> x, Out<T> y, float lambda) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::hardshrink(t, lambda); });
}
