// Transposed convolution of volumes, with stride, padding, dilation and groups:
// conv_transpose2d with one more dimension. x is [N * G, C / G, D, H, W], f
// [G, KD * KH * KW, O / G, C / G], bias [G, O / G].
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S = 1, i64 M = 64, i64 N = 128,
          i64 C = 64>
[[belay::kernel]] void
conv_transpose3d(In<T, dyn, dyn, dyn, dyn, dyn> x,
                 In<T, dyn, KD * KH * KW, dyn, dyn> f, In<float, dyn, dyn> bias,
                 Out<float, dyn, dyn, dyn, dyn, dyn> y, i64 pad, i64 dilation) {
  i64 groups = f.extent(0), channels = x.extent(1);
  i64 depth = x.extent(2), height = x.extent(3);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == channels);
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && depth >= 1 && height >= 1);
  expects(dilation >= 1 && dilation <= 4096 && pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y))) {
    i64 volume = w.plane(0), g = volume % groups;
    i64 end = w.col().begin + w.col().size;
    for (i64 phase = 0; phase < S; ++phase) {
      auto out = strided<1>(
          slice<1>(slice<1>(y[volume], w.plane(1)), w.plane(2)), phase, S);
      i64 first = (w.col().begin - phase + S - 1) / S;
      i64 last = (end - phase + S - 1) / S;
      auto cols = span<N>(first, last - first);
      auto sum = zeros<float>(w.row(), cols);
      for (i64 q = 0; q < KD; ++q) {
        i64 at = ops::source_of<S>(w.plane(1), q * dilation, pad, depth);
        auto image = slice<1>(x[volume], max(at, 0));
        for (i64 r = 0; r < KH; ++r) {
          i64 row = ops::source_of<S>(w.plane(2), r * dilation, pad, height);
          auto line = slice<1>(image, max(row, 0));
          for (i64 t = 0; t < KW; ++t) {
            i64 right = t * dilation, from = phase + pad + right * (S - 1);
            auto seen = span<N>(first + from / S - right, cols.size);
            bool is_seen = at >= 0 && row >= 0 && from % S == 0;
            for (auto c : tiles<C>(is_seen ? channels : 0))
              sum += dot(load(f[g][(q * KH + r) * KW + t], w.row(), c),
                         load_or(line, c, seen, T(0.0f)));
          }
        }
      }
      store(out, w.row(), cols, sum + load_column(bias[g], w.row()));
    }
  }
}
