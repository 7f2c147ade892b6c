// A linear layer normalized over the batch, then gelu and relu. Statistics are
// those of the batch; y has what is normalized between the passes.
// MultiKernelBench: fuse/gemm_batch_norm_gelu_group_norm_mean_relu.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void gemm_batch_norm_gelu_group_norm_mean_relu(
    In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias, In<float> gamma,
    In<float> beta, InOut<float, dyn, dyn> y, float eps) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  expects(gamma.size() == y.cols() && beta.size() == y.cols());
  ops::linear_batch_norm<M, N, K>(
      x, weights, bias, y, gamma, beta, eps,
      [&](const auto &t, auto c) { return copy(t); },
      [&](const auto &t) { return relu(ops::gelu(t)); });
}
