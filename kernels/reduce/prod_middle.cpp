// y[b][n] = product of x[b][m][n] over m.
// MultiKernelBench: reduce/product_reduction_over_a_dimension.
#include "belay/ops/columns.h"
using namespace belay;

template <class T>
[[belay::kernel]] void prod_middle(In<T, dyn, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  ops::fold_rows(
      x, y, 1.0f, [](const auto &a, const auto &b) { return a * b; },
      [](const auto &a) { return copy(a); });
}
