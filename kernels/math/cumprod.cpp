// Inclusive prefix products along rows.
// MultiKernelBench: math/cumprod.
#include "belay/ops/scans.h"
using namespace belay;

template <class T, i64 R = 64, i64 C = 32>
[[belay::kernel]] void cumprod(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto rows : my_spans<R>(y.rows())) {
    auto run = full<R, 1, float>(1.0f);
    for (auto c : tiles<C>(y.cols())) {
      auto t = cast<float>(load(x, rows, c, T(0)));
      store(y, rows, c,
            cast<T>(ops::scan_columns(
                t, run, [](const auto &a, const auto &b) { return a * b; })));
    }
  }
}
