// y[b][n] = how many x[b][m][n] are not 0 over m.
#include "belay/ops/columns.h"
using namespace belay;

template <class T>
[[belay::kernel]] void count_nonzero_middle(In<T, dyn, dyn, dyn> x,
                                            Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());

  ops::fold_rows<1024>(
      x, y, 0.0f,
      [](const auto &a, const auto &b) {
        return a + select(b == 0.0f, full_like(b, 0.0f), full_like(b, 1.0f));
      },
      [&](const auto &a) { return copy(a); });
}
