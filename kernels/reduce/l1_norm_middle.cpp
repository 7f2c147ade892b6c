// y[b][n] = sum of |x[b][m][n]| over m.
#include "belay/ops/columns.h"
using namespace belay;

template <class T>
[[belay::kernel]] void l1_norm_middle(In<T, dyn, dyn, dyn> x,
                                      Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());

  ops::fold_rows<1024>(
      x, y, 0.0f, [](const auto &a, const auto &b) { return a + abs(b); },
      [&](const auto &a) { return copy(a); });
}
