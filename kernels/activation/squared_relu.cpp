// relu(x) squared.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void squared_relu(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return relu(t) * relu(t); });
}
