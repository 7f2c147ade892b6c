// exp(x) / sum(exp(x)) of each row, which may be of any length.
// MultiKernelBench: activation/softmax.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void softmax(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float top = 0, total = 0;
    ops::softmax_over<N>(x[r], top, total);
    for (auto c : tiles<N>(x.cols())) {
      auto e = exp(cast<float>(load(x[r], c)) - top);
      store(y[r], c, cast<T>(e * (1.0f / total)));
    }
  }
}

/// Rows that fit on chip, several at a time.
template <class T, i64 C, i64 R = 8>
[[belay::kernel]] void softmax_rows(In<T, dyn, C> x, Out<T, dyn, C> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<R>(y)) {
    auto t = cast<float>(load(x, rows));
    auto e = exp(t - row_max(t));
    store(rows, cast<T>(e / row_sum(e)));
  }
}
