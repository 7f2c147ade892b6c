// The mean of each row of a linear layer less a row, its gelu added to the
// input.
// MultiKernelBench:
// fuse/gemm_subtract_global_avg_pool_log_sum_exp_gelu_residual_add.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
gemm_subtract_global_avg_pool_log_sum_exp_gelu_residual_add(
    In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias, In<float> less,
    Out<T, dyn, dyn> y) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(x.cols() == y.cols() && weights.rows() >= 1);
  expects(weights.rows() == bias.size() && weights.rows() == less.size());
  float part = 1.0f / float(weights.rows());
  for (auto r : my_spans<M>(y.rows())) {
    auto s = column<float>(r, 0.0f);
    for (auto c : tiles<N>(weights.rows()))
      s = s + row_sum(ops::linear<K>(x, weights, bias, r, c) - load(less, c));
    auto g = ops::gelu(s * part);
    for (auto c : tiles<N>(x.cols()))
      store(y, r, c, cast<T>(cast<float>(load(x, r, c)) + g));
  }
}
