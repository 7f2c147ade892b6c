// A linear layer with normalized groups of W columns; y[c][r] is the least of
// row r plus a number for column c.
// MultiKernelBench: fuse/gemm_group_norm_min_bias_add.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 W, i64 M = (W > 128 ? 16 : 64), i64 K = 128>
[[belay::kernel]] void
gemm_group_norm_min_bias_add(In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                             In<float> bias, In<float> gamma, In<float> beta,
                             In<float> add, Out<float, dyn, dyn> y, float eps) {
  expects(x.cols() == weights.cols() && x.rows() == y.cols());
  expects(weights.rows() == y.rows() && bias.size() == y.rows());
  expects(gamma.size() == y.rows() && beta.size() == y.rows());
  expects(add.size() == y.rows() && y.rows() % W == 0);
  for (auto r : my_spans<M>(y.cols())) {
    auto least = column<float>(r, __builtin_inff());
    for (auto c : tiles<W>(weights.rows())) {
      auto t = ops::standardize(ops::linear<K>(x, weights, bias, r, c), eps);
      least = min(least, row_min(t * load(gamma, c) + load(beta, c)));
    }
    auto row = transpose(least);
    for (auto c : tiles<W>(y.rows()))
      store(y, c, r, load_column(add, c) + row);
  }
}
