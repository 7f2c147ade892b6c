// Softmax of each row of a linear layer that is normalized over the batch and
// scaled. Columns belong to one core until they are normalized, with the
// statistics of the batch; after a barrier of all cores, rows do.
// MultiKernelBench: fuse/gemm_batch_norm_scaling_softmax.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void gemm_batch_norm_scaling_softmax(
    In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias, In<float> gamma,
    In<float> beta, InOut<float, dyn, dyn> y, float eps, float scale) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  expects(gamma.size() == y.cols() && beta.size() == y.cols());
  ops::linear_batch_norm<M, N, K>(
      x, weights, bias, y, gamma, beta, eps,
      [&](const auto &t, auto c) { return copy(t); },
      [&](const auto &t) { return t * scale; });
  sync_cores();
  for (auto r : my_spans<M>(y.rows())) {
    auto most = column<float>(r, -3e38f), total = column<float>(r, 0.0f);
    for (auto c : tiles<N>(y.cols())) {
      auto t = load(y, r, c);
      auto now = max(most, row_max(t));
      total = total * exp(most - now) + row_sum(exp(t - now));
      most = std::move(now);
    }
    for (auto c : tiles<N>(y.cols()))
      store(y, r, c, exp(load(y, r, c) - most) / total);
  }
}
