// x / (1 + |x|).
// MultiKernelBench: activation/softsign.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void softsign(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::softsign(t); });
}
