// A transposed convolution of images, which are volumes of one plane, with
// stride S, then the scaled mean over all pixels.
// MultiKernelBench:
// fuse/conv_transpose2d_multiply_global_avg_pool_global_avg_pool_mean.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void
conv_transpose2d_multiply_global_avg_pool_global_avg_pool_mean(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    Out<float, dyn, dyn> y, i64 pad, i64 rows, i64 cols, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(3) >= 1);
  expects(f.extent(1) == y.cols());
  expects(pad >= 0 && pad <= 4096);
  expects(rows >= 1 && rows <= 1 << 20 && cols >= 1 && cols <= 1 << 20);
  for (auto w : my_tiles<1, M>(y)) {
    auto sum = column<float>(w.col(), 0.0f);
    for (i64 r = 0; r < rows; ++r)
      for (auto c : tiles<N>(cols))
        for (i64 phase = 0; phase < S; ++phase) {
          i64 first = (c.begin - phase + S - 1) / S;
          i64 last = (c.begin + c.size - phase + S - 1) / S;
          sum = sum + row_sum(ops::spread_line<1, KH, KW, 1, S, C>(
                                  x[w.row().begin], f, bias, w.col(), 0, r,
                                  phase, span<N>(first, last - first), pad) *
                              factor);
        }
    store(w, transpose(sum) * (1.0f / (float(rows) * float(cols))));
  }
}
