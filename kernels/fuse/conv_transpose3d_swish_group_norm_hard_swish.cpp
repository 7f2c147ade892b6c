// A transposed convolution of volumes with stride S, then swish, with
// normalized groups of outputs, and hard swish. Groups are of W outputs; a
// group of an image is one core's.
// MultiKernelBench: fuse/conv_transpose3d_swish_group_norm_hard_swish.
#include "belay/ops/activations.h"
#include "belay/ops/standardize.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 W, i64 S, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv_transpose3d_swish_group_norm_hard_swish(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> gamma, In<float> beta,
    InOut<float, dyn, dyn, dyn, dyn, dyn> y, i64 pad, float eps) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(f.extent(1) == y.extent(1) && bias.size() == y.extent(1));
  expects(gamma.size() == y.extent(1) && beta.size() == y.extent(1));
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
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
          auto total = column<float>(o, 0.0f);
          ops::each_phase<S>(c, [&](i64 phase, auto cols) {
            auto t = ops::spread_line<KD, KH, KW, S, S, C>(x[n], f, bias, o, d,
                                                           h, phase, cols, pad);
            auto s = ops::swish(t);
            total = total + row_sum(s);
            store(strided<1>(line, phase, S), o, cols, s);
          });
          return total;
        },
        [&](const auto &t) { return ops::hardswish(t * g + b); });
  }
}
