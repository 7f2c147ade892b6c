// GELU by the logistic function: x * sigmoid(1.702 * x).
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void quick_gelu(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::quick_gelu(t); });
}
