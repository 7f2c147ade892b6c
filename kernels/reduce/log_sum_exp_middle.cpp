// y[b][n] = log of the sum of exp(x[b][m][n]) over m, without overflow.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 C = 1024>
[[belay::kernel]] void log_sum_exp_middle(In<T, dyn, dyn, dyn> x,
                                          Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols());
  for (auto w : my_tiles<1, C>(y)) {
    auto rows = x[w.row().begin];
    auto most = full<float>(w, ops::lowest), total = full<float>(w, 0.0f);
    for (i64 m = 0; m < x.extent(1); ++m) {
      auto t = cast<float>(load(rows[m], w.col()));
      auto now = max(most, t);
      total = total * exp(most - now) + exp(t - now);
      most = copy(now);
    }
    store(w, cast<T>(most + log(total)));
  }
}
