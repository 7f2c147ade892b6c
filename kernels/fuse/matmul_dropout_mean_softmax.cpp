// Softmax of each row of a linear layer after dropout, rows of any length. What
// dropout draws is a hash of the launch's seed and of the element's number, so
// that a launch can be repeated: an element is kept, and scaled, if its number,
// from 0 to below 1, is `rate` or more.
// MultiKernelBench: fuse/matmul_dropout_mean_softmax.
#include "belay/ops/linear.h"
#include "belay/ops/random.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
matmul_dropout_mean_softmax(In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                            In<float> bias, InOut<float, dyn, dyn> y,
                            float rate, float scale, i64 seed) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  expects(y.rows() < 1 << 29 && y.cols() < 1 << 29);
  expects(seed >= 0 && seed < 1 << 30);
  for (auto r : my_spans<M>(y.rows())) {
    auto most = column<float>(r, -3e38f), total = column<float>(r, 0.0f);
    for (auto c : tiles<N>(y.cols())) {
      auto drawn = ops::uniform(row_index<i32>(r), col_index<i32>(c), seed);
      auto kept = ops::linear<K>(x, weights, bias, r, c) * scale;
      auto t = select(drawn >= rate, kept, 0.0f);
      auto now = max(most, row_max(t));
      total = total * exp(most - now) + row_sum(exp(t - now));
      most = std::move(now);
      store(y, r, c, t);
    }
    for (auto c : tiles<N>(y.cols()))
      store(y, r, c, exp(load(y, r, c) - most) / total);
  }
}
