// log(1 + exp(x)), without overflow.
// MultiKernelBench: activation/softplus.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void softplus(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::softplus(t); });
}
