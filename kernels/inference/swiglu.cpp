// swish(a) * b of rows whose first half is a and second half is b.
#include "belay/ops/activations.h"
#include "belay/ops/map.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void swiglu(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == 2 * y.cols());
  ops::map_halves<N>(
      x, y, [](const auto &a, const auto &b) { return ops::swish(a) * b; });
}
