// The maximum of each row of a linear layer, without the mean of that one
// number, and gelu of what is left: 0, or NaN where the maximum is not finite.
// MultiKernelBench: fuse/gemm_max_subtract_gelu.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void gemm_max_subtract_gelu(In<T, dyn, dyn> x,
                                              In<T, dyn, dyn> weights,
                                              In<float> bias, Out<float> y) {
  expects(x.cols() == weights.cols() && x.rows() == y.size());
  expects(weights.rows() == bias.size());
  ops::linear_fold<M, N, K>(
      x, weights, bias, y, -__builtin_inff(),
      [](const auto &s, const auto &t) { return max(s, row_max(t)); },
      [](const auto &s) { return ops::gelu(s - s); });
}
