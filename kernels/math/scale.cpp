// x * s for a number s.
// MultiKernelBench: math/matrix_scalar_multiplication.
#include "belay/ops/map.h"
using namespace belay;

template <class T> [[belay::kernel]] void scale(In<T> x, Out<T> y, float s) {
  expects(x.size() == y.size());
  ops::map<8192>(x, y, [&](const auto &t) { return t * s; });
}
