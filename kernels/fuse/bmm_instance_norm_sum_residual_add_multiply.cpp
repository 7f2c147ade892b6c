// A linear layer with normalized rows n, of any length, then (n + z) * z.
// MultiKernelBench: fuse/bmm_instance_norm_sum_residual_add_multiply.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void bmm_instance_norm_sum_residual_add_multiply(
    In<T, dyn, dyn> x, In<T, dyn, dyn> weights, In<float> bias,
    In<float, dyn, dyn> z, InOut<float, dyn, dyn> y, float eps) {
  expects(x.cols() == weights.cols() && x.rows() == y.rows());
  expects(weights.rows() == y.cols() && bias.size() == y.cols());
  expects(z.rows() == y.rows() && z.cols() == y.cols() && y.cols() >= 1);
  float part = 1.0f / float(y.cols());
  for (auto r : my_spans<M>(y.rows())) {
    auto mean = column<float>(r, 0.0f), squares = column<float>(r, 0.0f);
    for (auto c : tiles<N>(y.cols())) {
      auto t = ops::linear<K>(x, weights, bias, r, c);
      mean = mean + row_sum(t);
      store(y, r, c, t);
    }
    mean = mean * part;
    for (auto c : tiles<N>(y.cols())) {
      auto d = load(y, r, c) - mean;
      squares = squares + row_sum(d * d);
    }
    auto deviation = sqrt(squares * part + eps);
    for (auto c : tiles<N>(y.cols())) {
      auto other = load(z, r, c);
      store(y, r, c, ((load(y, r, c) - mean) / deviation + other) * other);
    }
  }
}
