// y[b][n] = mean of x[b][m][n] over m.
// MultiKernelBench: reduce/mean_reduction_over_a_dimension.
#include "belay/ops/columns.h"
using namespace belay;

template <class T>
[[belay::kernel]] void mean_middle(In<T, dyn, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  expects(x.extent(1) >= 1);
  ops::fold_tiles(
      x, y, 0.0f, [](const auto &a, const auto &b) { return a + b; },
      [](const auto &t) { return col_sum(t); },
      [&](const auto &a) { return a * (1.0f / float(x.extent(1))); });
}
