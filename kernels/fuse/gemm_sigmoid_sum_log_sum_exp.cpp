// Two linear layers with a sigmoid between them, then the logarithm of the sum
// of exponentials of each row. Rows of the hidden layer stay with the core that
// made them.
// MultiKernelBench: fuse/gemm_sigmoid_sum_log_sum_exp.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
gemm_sigmoid_sum_log_sum_exp(In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                             In<float> bias, In<T, dyn, dyn> weights2,
                             In<float> bias2, InOut<T, dyn, dyn> hidden,
                             Out<float> y) {
  expects(x.rows() == y.size() && hidden.rows() == y.size());
  expects(x.cols() == weights.cols() && weights.rows() == hidden.cols());
  expects(bias.size() == hidden.cols() && weights2.cols() == hidden.cols());
  expects(weights2.rows() == bias2.size());
  for (auto r : my_spans<M>(y.size())) {
    for (auto c : tiles<N>(hidden.cols()))
      store(hidden, r, c,
            cast<T>(sigmoid(ops::linear<K>(x, weights, bias, r, c))));
    auto most = column<float>(r, -3e38f), total = column<float>(r, 0.0f);
    for (auto c : tiles<N>(weights2.rows())) {
      auto t = ops::linear<K>(hidden, weights2, bias2, r, c);
      auto now = max(most, row_max(t));
      total = total * exp(most - now) + row_sum(exp(t - now));
      most = std::move(now);
    }
    store(y, r, most + log(total));
  }
}
