// y[b][n] = smallest of x[b][m][n] over m.
// MultiKernelBench: reduce/min_reduction_over_a_dimension.
#include "belay/ops/columns.h"
#include "belay/ops/rows.h"
using namespace belay;

template <class T>
[[belay::kernel]] void min_middle(In<T, dyn, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  expects(x.extent(1) >= 1);
  ops::fold_tiles(
      x, y, ops::infinity,
      [](const auto &a, const auto &b) { return min(a, b); },
      [](const auto &t) { return col_min(t); },
      [](const auto &a) { return copy(a); });
}
