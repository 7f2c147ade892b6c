// Softmax of each row of gelu of a linear layer, rows of any length: a first
// pass stores gelu, and carries maximum and total, a second one divides.
// MultiKernelBench: fuse/matmul_gelu_softmax.
#include "belay/ops/activations.h"
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
matmul_gelu_softmax(In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias,
                    InOut<float, dyn, dyn> y) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  for (auto r : my_spans<M>(y.rows())) {
    auto most = column<float>(r, -3e38f), total = column<float>(r, 0.0f);
    for (auto c : tiles<N>(y.cols())) {
      auto t = ops::gelu(ops::linear<K>(x, weights, bias, r, c));
      auto now = max(most, row_max(t));
      total = total * exp(most - now) + row_sum(exp(t - now));
      most = std::move(now);
      store(y, r, c, t);
    }
    for (auto c : tiles<N>(y.cols()))
      store(y, r, c, exp(load(y, r, c) - most) / total);
  }
}
