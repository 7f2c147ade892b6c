// The sum of each row of a linear layer. Maximum, mean and the logarithm of the
// sum of exponentials of one number are that number.
// MultiKernelBench: fuse/matmul_sum_max_avg_pool_log_sum_exp_log_sum_exp.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void matmul_sum_max_avg_pool_log_sum_exp_log_sum_exp(
    In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias, Out<float> y) {
  expects(x.cols() == weights.cols() && x.rows() == y.size());
  expects(weights.rows() == bias.size());
  ops::linear_fold<M, N, K>(
      x, weights, bias, y, 0.0f,
      [](const auto &s, const auto &t) { return s + row_sum(t); },
      [](const auto &s) { return copy(s); });
}
