// x moved towards 0 by lambda, at most to 0.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void softshrink(In<T> x, Out<T> y, float lambda) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::softshrink(t, lambda); });
}
