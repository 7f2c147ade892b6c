// Where over m the first smallest x[b][m][n] is; NaN counts as none.
// MultiKernelBench: index/argmin_over_a_dimension.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, class I, i64 C = 1024>
[[belay::kernel]] void argmin_middle(In<T, dyn, dyn, dyn> x,
                                     Out<I, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  expects(x.extent(1) >= 1 && x.extent(1) < 1 << 30);
  for (auto w : my_tiles<1, C>(y)) {
    auto best = full<float>(w, ops::infinity);
    auto where = zeros<i32>(w);
    for (i64 m = 0; m < x.extent(1); ++m) {
      auto t = cast<float>(load(x[w.row().begin][m], w.col()));
      where = select(t < best, full<i32>(w, i32(m)), where);
      best = min(best, t);
    }
    store(w, cast<I>(where));
  }
}
