// y[b][n] = 1 if no x[b][m][n] is 0 for any m, 0 elsewhere.
#include "belay/ops/columns.h"
using namespace belay;

template <class T>
[[belay::kernel]] void all_middle(In<T, dyn, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());

  ops::fold_rows<1024>(
      x, y, 1.0f,
      [](const auto &a, const auto &b) {
        return min(a,
                   select(b == 0.0f, full_like(b, 0.0f), full_like(b, 1.0f)));
      },
      [&](const auto &a) { return copy(a); });
}
