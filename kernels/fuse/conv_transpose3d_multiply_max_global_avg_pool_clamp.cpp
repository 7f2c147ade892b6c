// A transposed convolution of volumes with stride S, then a factor, the largest
// of S by S by S neighbours, and the mean over all places, between 0 and 1.
// MultiKernelBench: fuse/conv_transpose3d_multiply_max_global_avg_pool_clamp.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_multiply_max_global_avg_pool_clamp(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, Out<float, dyn, dyn> y, i64 pad, i64 planes, i64 rows,
    i64 cols, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) == y.cols());
  expects(pad >= 0 && pad <= 4096);
  expects(planes >= 1 && planes <= 1 << 15 && rows >= 1 && rows <= 1 << 15);
  expects(cols >= 1 && cols <= 1 << 15);
  for (auto w : my_tiles<1, M>(y)) {
    auto sum = column<float>(w.col(), 0.0f);
    for (i64 d = 0; d < planes; ++d)
      for (i64 r = 0; r < rows; ++r)
        for (auto j : tiles<N>(cols)) {
          auto most = full<float>(w.col(), j, -__builtin_inff());
          for (i64 a = 0; a < S; ++a)
            for (i64 b = 0; b < S; ++b)
              for (i64 c = 0; c < S; ++c)
                most = max(most, ops::spread_line<KD, KH, KW, S, S, C>(
                                     x[w.row().begin], f, bias, w.col(),
                                     d * S + a, r * S + b, c, j, pad) *
                                     factor);
          sum = sum + row_sum(most);
        }
    store(w, clamp(transpose(sum) *
                       (1.0f / (float(planes) * float(rows) * float(cols))),
                   0.0f, 1.0f));
  }
}
