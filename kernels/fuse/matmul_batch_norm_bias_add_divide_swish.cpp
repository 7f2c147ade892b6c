// A linear layer normalized over the batch, plus a number, divided by another,
// then swish. Statistics are those of the batch; y has what is normalized
// between the passes.
// MultiKernelBench: fuse/matmul_batch_norm_bias_add_divide_swish.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void matmul_batch_norm_bias_add_divide_swish(
    In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias, In<float> gamma,
    In<float> beta, InOut<float, dyn, dyn> y, float eps, float add,
    float divisor) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  expects(gamma.size() == y.cols() && beta.size() == y.cols());
  ops::linear_batch_norm<M, N, K>(
      x, weights, bias, y, gamma, beta, eps,
      [&](const auto &t, auto c) { return copy(t); },
      [&](const auto &t) { return ops::swish((t + add) / divisor); });
}
