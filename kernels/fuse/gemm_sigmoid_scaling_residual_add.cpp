// A linear layer plus its scaled sigmoid.
// MultiKernelBench: fuse/gemm_sigmoid_scaling_residual_add.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
gemm_sigmoid_scaling_residual_add(In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                                  In<float> bias, Out<T, dyn, dyn> y,
                                  float factor) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  ops::linear_map<M, N, K>(x, weights, bias, y, [&](const auto &t, auto) {
    return sigmoid(t) * factor + t;
  });
}
