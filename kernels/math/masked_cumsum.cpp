// Inclusive prefix sums along rows of the elements whose byte in a mask is 1,
// not 0. MultiKernelBench: math/masked_cumsum.
#include "belay/ops/scans.h"
using namespace belay;

template <class T, i64 R = 64, i64 C = 32>
[[belay::kernel]] void masked_cumsum(In<T, dyn, dyn> x, In<i8, dyn, dyn> mask,
                                     Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(mask.rows() == y.rows() && mask.cols() == y.cols());
  for (auto rows : my_spans<R>(y.rows())) {
    auto run = full<R, 1, float>(0.0f);
    for (auto c : tiles<C>(y.cols())) {
      auto t = cast<float>(load(x, rows, c, T(0))) *
               cast<float>(cast<half>(load(mask, rows, c, i8(0))));
      store(y, rows, c,
            cast<T>(ops::scan_columns(
                t, run, [](const auto &a, const auto &b) { return a + b; })));
    }
  }
}
