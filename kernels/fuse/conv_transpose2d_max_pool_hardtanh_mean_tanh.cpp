// A transposed convolution of images with a stride of 1, which is a convolution
// with the taps in reverse order and a wider border; then the largest of P by P
// neighbours, between bounds, and tanh of the mean over all pixels.
// MultiKernelBench: fuse/conv_transpose2d_max_pool_hardtanh_mean_tanh.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 P, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv_transpose2d_max_pool_hardtanh_mean_tanh(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    Out<float, dyn, dyn> y, i64 border, i64 rows, i64 cols, float low,
    float high) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(3) >= 1);
  expects(f.extent(1) == y.cols());
  expects(border >= 0 && border <= 4096 && rows >= 1 && rows <= 1 << 20);
  expects(cols >= 1 && cols <= 1 << 20);
  for (auto w : my_tiles<1, M>(y)) {
    auto sum = column<float>(w.col(), 0.0f);
    for (i64 r = 0; r < rows; ++r)
      for (auto c : tiles<N>(cols)) {
        auto most = full<float>(w.col(), c, -__builtin_inff());
        for (i64 a = 0; a < P; ++a)
          for (i64 b = 0; b < P; ++b)
            most = max(most, ops::conv_line<1, KH, KW, 1, P, C>(
                                 x[w.row().begin], f, bias, w.col(), 0, r, c, 0,
                                 a, b, border));
        sum = sum + row_sum(clamp(most, low, high));
      }
    store(w, tanh(transpose(sum) * (1.0f / (float(rows) * float(cols)))));
  }
}
