// The hyperbolic tangent.
// MultiKernelBench: activation/tanh.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void tanh_of(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  ops::map(x, y, [&](const auto &t) { return tanh(t); });
}
