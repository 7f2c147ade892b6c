// Swish of a linear layer plus a row, with normalized groups of columns. Groups
// are of W columns.
// MultiKernelBench: fuse/matmul_swish_sum_group_norm.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 W, i64 M = (W > 128 ? 16 : 64), i64 K = 128>
[[belay::kernel]] void
matmul_swish_sum_group_norm(In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                            In<float> bias, In<float> gamma, In<float> beta,
                            In<float> add, Out<T, dyn, dyn> y, float eps) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  expects(gamma.size() == y.cols() && beta.size() == y.cols());
  expects(y.cols() % W == 0);
  expects(add.size() == y.cols());
  ops::linear_group_norm<M, W, K>(
      x, weights, bias, y, gamma, beta, eps,
      [&](const auto &t, auto c) { return ops::swish(t) + load(add, c); },
      [&](const auto &t, auto c) { return copy(t); });
}
