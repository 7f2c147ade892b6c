// The scaled sum of each row of a linear layer of which the largest of P
// neighbours each is taken. Weights and bias have the neighbours of an output
// as a dimension: weights[o][p][i], bias[p][o].
// MultiKernelBench: fuse/matmul_max_pool_sum_scale.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 P, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
matmul_max_pool_sum_scale(In<T, dyn, dyn> x, In<T, dyn, P, dyn> weights,
                          In<float, P, dyn> bias, Out<float> y, float factor) {
  expects(x.cols() == weights.extent(2) && x.rows() == y.size());
  expects(weights.extent(0) == bias.cols());
  for (auto r : my_spans<M>(y.size())) {
    auto s = column<float>(r, 0.0f);
    for (auto c : tiles<N>(weights.extent(0))) {
      auto most = full<float>(r, c, -__builtin_inff());
      for (i64 p = 0; p < P; ++p)
        most =
            max(most, ops::linear<K>(x, slice<1>(weights, p), bias[p], r, c));
      s = s + row_sum(most);
    }
    store(y, r, s * factor);
  }
}
