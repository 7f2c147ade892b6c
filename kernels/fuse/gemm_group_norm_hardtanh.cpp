// A linear layer with normalized groups of columns, between bounds. Groups are
// of W columns.
// MultiKernelBench: fuse/gemm_group_norm_hardtanh.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 W, i64 M = (W > 128 ? 16 : 64), i64 K = 128>
[[belay::kernel]] void
gemm_group_norm_hardtanh(In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                         In<float> bias, In<float> gamma, In<float> beta,
                         Out<T, dyn, dyn> y, float eps, float low, float high) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  expects(gamma.size() == y.cols() && beta.size() == y.cols());
  expects(y.cols() % W == 0);
  ops::linear_group_norm<M, W, K>(
      x, weights, bias, y, gamma, beta, eps,
      [&](const auto &t, auto c) { return copy(t); },
      [&](const auto &t, auto c) { return clamp(t, low, high); });
}
