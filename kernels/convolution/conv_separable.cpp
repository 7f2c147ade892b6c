// Convolution of each channel of images by a filter of its own, on the vector
// core, then by filters of one pixel, on the cube core, which takes what the
// vector core made as an operand. x is [N, C, H, W], f [KH * KW, C], g [O, C].
// MultiKernelBench: convolution/conv_depthwise_separable_2d.
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 SH = 1, i64 SW = 1, i64 M = 128,
          i64 N = 128, i64 C = 32>
[[belay::kernel]] void
conv_separable(In<T, dyn, dyn, dyn, dyn> x, In<T, KH * KW, dyn> f,
               In<T, dyn, dyn> g, Out<T, dyn, dyn, dyn, dyn> y, i64 pad_h,
               i64 pad_w, i64 dilation_h, i64 dilation_w) {
  expects(y.extent(0) == x.extent(0) && y.extent(1) == g.rows());
  expects(f.cols() == x.extent(1) && g.cols() == x.extent(1));
  expects(x.extent(2) >= 1);
  expects(dilation_h >= 1 && dilation_h <= 4096);
  expects(dilation_w >= 1 && dilation_w <= 4096);
  expects(pad_h >= 0 && pad_h <= 4096 && pad_w >= 0 && pad_w <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 1, 3>(y))) {
    auto sum = zeros<float>(w);
    for (auto c : tiles<C>(x.extent(1)))
      sum += dot(load(g, w.row(), c),
                 cast<T>(ops::convolve_channels<KH, KW, SH, SW>(
                     x[w.plane(0)], f, c, w.plane(1), w.col(), pad_h, pad_w,
                     dilation_h, dilation_w)));
    store(w, cast<T>(sum));
  }
}
