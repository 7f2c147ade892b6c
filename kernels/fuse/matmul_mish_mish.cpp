// A linear layer, then mish twice.
// MultiKernelBench: fuse/matmul_mish_mish.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void matmul_mish_mish(In<T, dyn, dyn> x,
                                        In<T, dyn, dyn> weights, In<float> bias,
                                        Out<T, dyn, dyn> y) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  ops::linear_map<M, N, K>(x, weights, bias, y, [](const auto &t, auto) {
    return ops::mish(ops::mish(t));
  });
}
