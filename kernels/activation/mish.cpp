// x * tanh(log(1 + exp(x))).
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void mish(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::mish(t); });
}
