// y[b][n] = variance of x[b][m][n] over m, with m in the denominator.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C = 1024>
[[belay::kernel]] void var_middle(In<T, dyn, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.extent(0) == y.rows() && x.extent(2) == y.cols() &&
          x.extent(1) >= 1);
  float scale = 1.0f / float(x.extent(1));
  for (auto w : my_tiles<1, C>(y)) {
    auto rows = x[w.row().begin];
    auto mean = full<float>(w, 0.0f), squares = full<float>(w, 0.0f);
    for (i64 m = 0; m < x.extent(1); ++m)
      mean = mean + cast<float>(load(rows[m], w.col())) * scale;
    for (i64 m = 0; m < x.extent(1); ++m) {
      auto d = cast<float>(load(rows[m], w.col())) - mean;
      squares = squares + d * d;
    }
    store(w, cast<T>(squares * scale));
  }
}
