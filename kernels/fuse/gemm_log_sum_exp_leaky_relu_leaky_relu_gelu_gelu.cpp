// The logarithm of the sum of exponentials of each row of a linear layer, then
// leaky relu and gelu, both twice.
// MultiKernelBench: fuse/gemm_log_sum_exp_leaky_relu_leaky_relu_gelu_gelu.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void gemm_log_sum_exp_leaky_relu_leaky_relu_gelu_gelu(
    In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias, Out<float> y) {
  expects(x.cols() == weights.cols() && x.rows() == y.size());
  expects(weights.rows() == bias.size());
  ops::linear_log_sum_exp<M, N, K>(
      x, weights, bias, y, [](const auto &t) { return copy(t); },
      [](const auto &s) {
        auto l = ops::leaky_relu(ops::leaky_relu(s, 0.01f), 0.01f);
        return ops::gelu(ops::gelu(l));
      });
}
