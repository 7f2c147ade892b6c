// x where it is positive, alpha * (exp(x / alpha) - 1) elsewhere.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void celu(In<T> x, Out<T> y, float alpha) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::celu(t, alpha); });
}
