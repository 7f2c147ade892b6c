// Transposed convolution of images, with stride, padding, dilation and groups:
// y[n][o][i * stride + r * dilation - pad] gets f[r][o][c] * x[n][c][i], in
// both directions. Written from the output's side: columns with the same
// remainder by the stride see the same taps, and one pixel after the other.
// Layouts are those of conv2d: x is [N * G, C / G, H, W], f [G, KH * KW, O / G,
// C / G].
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 S = 1, i64 M = 64, i64 N = 128,
          i64 C = 64>
[[belay::kernel]] void
conv_transpose2d(In<T, dyn, dyn, dyn, dyn> x, In<T, dyn, KH * KW, dyn, dyn> f,
                 In<float, dyn, dyn> bias, Out<float, dyn, dyn, dyn, dyn> y,
                 i64 pad, i64 dilation) {
  i64 groups = f.extent(0), channels = x.extent(1), height = x.extent(2);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == channels);
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && height >= 1);
  expects(dilation >= 1 && dilation <= 4096);
  expects(pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 1, 3>(y))) {
    i64 image = w.plane(0), g = image % groups;
    i64 end = w.col().begin + w.col().size;
    for (i64 phase = 0; phase < S; ++phase) {
      auto out = strided<1>(slice<1>(y[image], w.plane(1)), phase, S);
      i64 first = (w.col().begin - phase + S - 1) / S;
      i64 last = (end - phase + S - 1) / S;
      auto cols = span<N>(first, last - first);
      auto sum = zeros<float>(w.row(), cols);
      for (i64 r = 0; r < KH; ++r) {
        i64 row = ops::source_of<S>(w.plane(1), r * dilation, pad, height);
        auto line = slice<1>(x[image], max(row, 0));
        for (i64 t = 0; t < KW; ++t) {
          i64 right = t * dilation, from = phase + pad + right * (S - 1);
          auto seen = span<N>(first + from / S - right, cols.size);
          for (auto c : tiles<C>(row >= 0 && from % S == 0 ? channels : 0))
            sum += dot(load(f[g][r * KW + t], w.row(), c),
                       load_or(line, c, seen, T(0.0f)));
        }
      }
      store(out, w.row(), cols, sum + load_column(bias[g], w.row()));
    }
  }
}
