// By how much a linear layer is below a number; 0 where it is not.
// MultiKernelBench: fuse/matmul_min_subtract.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
matmul_min_subtract(In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias,
                    Out<T, dyn, dyn> y, float number) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  ops::linear_map<M, N, K>(x, weights, bias, y, [&](const auto &t, auto) {
    return min(t, number) - number;
  });
}
