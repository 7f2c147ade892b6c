// A convolution of images, which are volumes of one plane, plus a number for
// each output, scaled for each, then sigmoid, with normalized groups of
// outputs. Groups are of W outputs; a group of an image is one core's.
// MultiKernelBench: fuse/conv2d_add_scale_sigmoid_group_norm.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 W, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv2d_add_scale_sigmoid_group_norm(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> gamma, In<float> beta, In<float> add, In<float> factors,
    InOut<float, dyn, dyn, 1, dyn, dyn> y, float eps) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == y.extent(1) && bias.size() == y.extent(1));
  expects(gamma.size() == y.extent(1) && beta.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  expects(y.extent(0) <= 1 << 20 && y.extent(1) <= 1 << 20);
  expects(y.extent(1) % W == 0);
  expects(add.size() == y.extent(1) && factors.size() == y.extent(1));
  i64 groups = y.extent(1) / W;
  for (i64 p = core_index(); p < y.extent(0) * groups; p += core_count()) {
    i64 n = p / groups;
    auto o = span<W>(p % groups * W, W);
    auto g = load_column(gamma, o), b = load_column(beta, o);
    ops::standardize_lines<true, N>(
        y, o, n, n + 1, eps,
        [&](auto line, i64 n, i64 d, i64 h, auto c) {
          auto t = ops::conv_line<1, KH, KW, 1, 1, C>(x[n], f, bias, o, d, h, c,
                                                      0, 0, 0, 0);
          auto s = sigmoid((t + load_column(add, o)) * load_column(factors, o));
          auto total = row_sum(s);
          store(line, o, c, s);
          return total;
        },
        [&](const auto &t) { return t * g + b; });
  }
}
