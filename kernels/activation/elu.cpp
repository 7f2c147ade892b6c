// x where it is positive, alpha * (exp(x) - 1) elsewhere.
// MultiKernelBench: activation/elu.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void elu(In<T> x, Out<T> y, float alpha) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::elu(t, alpha); });
}
