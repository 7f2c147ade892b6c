// The sum of the sigmoid of a linear layer in each row.
// MultiKernelBench: fuse/matmul_sigmoid_sum.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void matmul_sigmoid_sum(In<T, dyn, dyn> x,
                                          In<T, dyn, dyn> weights,
                                          In<float> bias, Out<float> y) {
  expects(x.cols() == weights.cols() && x.rows() == y.size());
  expects(weights.rows() == bias.size());
  ops::linear_fold<M, N, K>(
      x, weights, bias, y, 0.0f,
      [](const auto &s, const auto &t) { return s + row_sum(sigmoid(t)); },
      [](const auto &s) { return copy(s); });
}
