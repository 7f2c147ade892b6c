// A convolution of volumes, with normalized groups of outputs, at most a
// number, and between that and another one. All of it is that number then, 0 in
// the reference, of which dropout leaves 0 whatever it draws. Groups are of W
// outputs; a group of an image is one core's.
// MultiKernelBench: fuse/conv3d_group_norm_min_clamp_dropout.
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 W, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv3d_group_norm_min_clamp_dropout(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> gamma, In<float> beta,
    InOut<float, dyn, dyn, dyn, dyn, dyn> y, float eps, float low, float high) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == y.extent(1) && bias.size() == y.extent(1));
  expects(gamma.size() == y.extent(1) && beta.size() == y.extent(1));
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(y.extent(0) <= 1 << 20 && y.extent(1) <= 1 << 20);
  expects(y.extent(1) % W == 0);
  i64 groups = y.extent(1) / W;
  for (i64 p = core_index(); p < y.extent(0) * groups; p += core_count()) {
    i64 n = p / groups;
    auto o = span<W>(p % groups * W, W);
    auto g = load_column(gamma, o), b = load_column(beta, o);
    ops::standardize_lines<true, N>(
        y, o, n, n + 1, eps,
        [&](auto line, i64 n, i64 d, i64 h, auto c) {
          auto t = ops::conv_line<KD, KH, KW, 1, 1, C>(x[n], f, bias, o, d, h,
                                                       c, 0, 0, 0, 0);
          auto s = copy(t);
          auto total = row_sum(s);
          store(line, o, c, s);
          return total;
        },
        [&](const auto &t) { return clamp(min(t * g + b, low), low, high); });
  }
}
