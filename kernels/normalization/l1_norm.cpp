// Rows divided by the mean of their magnitudes.
// MultiKernelBench: normalization/l1_norm.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void l1_norm(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float total = ops::sum_over<N>(x[r], [](const auto &t) { return abs(t); });
    float divisor = total / float(x.cols());
    for (auto c : tiles<N>(x.cols()))
      store(y[r], c, cast<T>(cast<float>(load(x[r], c)) / divisor));
  }
}
