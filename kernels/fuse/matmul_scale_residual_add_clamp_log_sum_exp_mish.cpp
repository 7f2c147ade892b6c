// Twice a scaled linear layer between bounds; of each row, the logarithm s of
// the sum of exponentials, and s * mish(s).
// MultiKernelBench: fuse/matmul_scale_residual_add_clamp_log_sum_exp_mish.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void matmul_scale_residual_add_clamp_log_sum_exp_mish(
    In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias, Out<float> y,
    float factor, float low, float high) {
  expects(x.cols() == weights.cols() && x.rows() == y.size());
  expects(weights.rows() == bias.size());
  ops::linear_log_sum_exp<M, N, K>(
      x, weights, bias, y,
      [&](const auto &t) {
        auto u = t * factor;
        return clamp(u + u, low, high);
      },
      [](const auto &s) { return s * ops::mish(s); });
}
