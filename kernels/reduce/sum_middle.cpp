// y[b][n] = sum of x[b][m][n] over m.
// MultiKernelBench: reduce/sum_reduction_over_a_dimension.
#include "belay/ops/columns.h"
using namespace belay;

template <class T>
[[belay::kernel]] void sum_middle(In<T, dyn, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  ops::fold_tiles(
      x, y, 0.0f, [](const auto &a, const auto &b) { return a + b; },
      [](const auto &t) { return col_sum(t); },
      [](const auto &a) { return copy(a); });
}
