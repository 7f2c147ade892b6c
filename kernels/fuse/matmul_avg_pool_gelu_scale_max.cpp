// The mean of P neighbours each in rows of a linear layer; the largest of its
// scaled gelu in each row. A mean of outputs is the mean of their sums, so the
// cube core adds them up: weights[o][p][i], bias[p][o].
// MultiKernelBench: fuse/matmul_avg_pool_gelu_scale_max.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 P, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
matmul_avg_pool_gelu_scale_max(In<T, dyn, dyn> x, In<T, dyn, P, dyn> weights,
                               In<float, P, dyn> bias, Out<float> y,
                               float factor) {
  expects(x.cols() == weights.extent(2) && x.rows() == y.size());
  expects(weights.extent(0) == bias.cols());
  for (auto r : my_spans<M>(y.size())) {
    auto most = column<float>(r, -__builtin_inff());
    for (auto c : tiles<N>(weights.extent(0))) {
      auto sum = zeros<float>(r, c);
      for (i64 p = 0; p < P; ++p)
        for (auto k : tiles<K>(x.cols()))
          sum +=
              dot(load(x, r, k), load(slice<1>(weights, p).transposed(), k, c));
      auto mean = (sum + col_sum(load(bias, span<P>(0, P), c))) * (1.0f / P);
      most = max(most, row_max(ops::gelu(mean) * factor));
    }
    store(y, r, most);
  }
}
