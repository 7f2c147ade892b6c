// A linear layer, then a row that is added, swish, tanh, gelu, and bounds.
// MultiKernelBench: fuse/matmul_add_swish_tanh_gelu_hardtanh.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
matmul_add_swish_tanh_gelu_hardtanh(In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                                    In<float> bias, Out<T, dyn, dyn> y,
                                    In<float> add) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  expects(add.size() == y.cols());
  ops::linear_map<M, N, K>(x, weights, bias, y, [&](const auto &t, auto c) {
    auto s = tanh(ops::swish(t + load(add, c)));
    return clamp(ops::gelu(s), -1.0f, 1.0f);
  });
}
