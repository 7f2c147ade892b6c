// A transposed convolution of volumes with stride S, then the logarithm s of
// the sum of exponentials over outputs, s * sigmoid(s + 3) / 6 less a number,
// between -1 and 1. A tile has all outputs, at most M.
// MultiKernelBench:
// fuse/conv_transpose3d_log_sum_exp_hard_swish_subtract_clamp_max.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void
conv_transpose3d_log_sum_exp_hard_swish_subtract_clamp_max(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, Out<T, dyn, dyn, dyn, dyn> y, i64 pad, float less) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) <= M);
  expects(pad >= 0 && pad <= 4096);
  auto outputs = span<M>(0, f.extent(1));
  for (auto w : my_tiles<1, N>(y))
    ops::each_phase<S>(w.col(), [&](i64 phase, auto cols) {
      auto t = ops::spread_line<KD, KH, KW, S, S, C>(
          x[w.plane(0)], f, bias, outputs, w.plane(1), w.row().begin, phase,
          cols, pad);
      auto top = col_max(t);
      auto s = top + log(col_sum(exp(t - top)));
      auto line = y[w.plane(0)][w.plane(1)][w.row().begin];
      store(line.strided(phase, S), cols,
            cast<T>(clamp(s * sigmoid(s + 3.0f) / 6.0f - less, -1.0f, 1.0f)));
    });
}
