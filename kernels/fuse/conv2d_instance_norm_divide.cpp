// A convolution of images, which are volumes of one plane, each output of an
// image normalized, and divided by a number.
// MultiKernelBench: fuse/conv2d_instance_norm_divide.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv2d_instance_norm_divide(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    InOut<float, dyn, dyn, 1, dyn, dyn> y, float eps, float divisor) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == y.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  expects(y.extent(0) <= 1 << 20 && y.extent(1) <= 1 << 20);
  i64 parts = ceil_div(y.extent(1), M);
  for (i64 p = core_index(); p < y.extent(0) * parts; p += core_count()) {
    i64 n = p / parts, from = p % parts * M;
    auto o = span<M>(from, min(M, y.extent(1) - from));
    ops::standardize_lines<false, N>(
        y, o, n, n + 1, eps,
        [&](auto line, i64 n, i64 d, i64 h, auto c) {
          auto t = ops::conv_line<1, KH, KW, 1, 1, C>(x[n], f, bias, o, d, h, c,
                                                      0, 0, 0, 0);
          auto s = copy(t);
          auto total = row_sum(s);
          store(line, o, c, s);
          return total;
        },
        [&](const auto &t) { return t / divisor; });
  }
}
