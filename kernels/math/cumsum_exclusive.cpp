// Exclusive prefix sums along rows: those of all elements before.
// MultiKernelBench: math/cumsum_exclusive.
#include "belay/ops/scans.h"
using namespace belay;

template <class T, i64 R = 64, i64 C = 32>
[[belay::kernel]] void cumsum_exclusive(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto rows : my_spans<R>(y.rows())) {
    auto run = full<R, 1, float>(0.0f);
    for (auto c : tiles<C>(y.cols())) {
      auto t = cast<float>(load(x, rows, c, T(0)));
      auto numbers = ops::column_numbers(t);
      auto out = ops::from_columns<C>(span<R>(0, R), [&](i64 k) {
        auto before = copy(run);
        run = run + row_sum(ops::only(t, numbers, k));
        return before;
      });
      store(y, rows, c, cast<T>(out));
    }
  }
}
