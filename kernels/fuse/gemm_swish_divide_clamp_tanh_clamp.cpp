// A linear layer, then half of its swish between -1 and 1, of which the tanh is
// taken.
// MultiKernelBench: fuse/gemm_swish_divide_clamp_tanh_clamp.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
gemm_swish_divide_clamp_tanh_clamp(In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                                   In<float> bias, Out<T, dyn, dyn> y) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  ops::linear_map<M, N, K>(x, weights, bias, y, [](const auto &t, auto) {
    auto s = clamp(ops::swish(t) / 2.0f, -1.0f, 1.0f);
    return clamp(tanh(s), -1.0f, 1.0f);
  });
}
