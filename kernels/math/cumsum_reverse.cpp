// Sums along rows of each element and all that follow it.
// MultiKernelBench: math/cumsum_reverse.
#include "belay/ops/scans.h"
using namespace belay;

template <class T, i64 R = 64, i64 C = 32>
[[belay::kernel]] void cumsum_reverse(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto rows : my_spans<R>(y.rows())) {
    auto run = full<R, 1, float>(0.0f);
    for (i64 b = ceil_div(y.cols(), C) - 1; b >= 0; --b) {
      auto c = span<C>(b * C, min(C, y.cols() - b * C));
      auto t = cast<float>(load(x, rows, c, T(0)));
      auto numbers = ops::column_numbers(t);
      auto whole = run + row_sum(t);
      auto out = ops::from_columns<C>(span<R>(0, R), [&](i64 k) {
        return run + row_sum(ops::between(t, numbers, k, C - 1, 0.0f));
      });
      run = copy(whole);
      store(y, rows, c, cast<T>(out));
    }
  }
}
