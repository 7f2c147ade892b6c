// x where it is positive, slope * x elsewhere.
// MultiKernelBench: activation/leaky_relu.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T>
[[belay::kernel]] void leaky_relu(In<T> x, Out<T> y, float slope) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return ops::leaky_relu(t, slope); });
}
