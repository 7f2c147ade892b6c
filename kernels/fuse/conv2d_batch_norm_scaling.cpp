// A convolution of images, which are volumes of one plane, normalized over the
// batch, and scaled. Statistics are those of the batch.
// MultiKernelBench: fuse/conv2d_batch_norm_scaling.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv2d_batch_norm_scaling(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> gamma, In<float> beta, InOut<float, dyn, dyn, 1, dyn, dyn> y,
    float eps, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == y.extent(1) && bias.size() == y.extent(1));
  expects(gamma.size() == y.extent(1) && beta.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  for (auto o : my_spans<M>(y.extent(1))) {
    auto g = load_column(gamma, o), b = load_column(beta, o);
    ops::standardize_lines<false, N>(
        y, o, 0, y.extent(0), eps,
        [&](auto line, i64 n, i64 d, i64 h, auto c) {
          auto t = ops::conv_line<1, KH, KW, 1, 1, C>(x[n], f, bias, o, d, h, c,
                                                      0, 0, 0, 0);
          auto s = copy(t);
          auto total = row_sum(s);
          store(line, o, c, s);
          return total;
        },
        [&](const auto &t) { return (t * g + b) * factor; });
  }
}
