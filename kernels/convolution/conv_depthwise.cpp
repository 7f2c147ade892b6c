// Convolution of each channel of images by a filter of its own, on the vector
// core: a tile has rows of some channels. x is [N, C, H, W], f [KH * KW, C].
// MultiKernelBench: convolution/conv_depthwise_2d_square_input_square_kernel,
// convolution/conv_depthwise_2d_square_input_asymmetric_kernel,
// convolution/conv_depthwise_2d_asymmetric_input_square_kernel,
// convolution/conv_depthwise_2d_asymmetric_input_asymmetric_kernel.
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 SH = 1, i64 SW = 1, i64 C = 16,
          i64 N = 128>
[[belay::kernel]] void
conv_depthwise(In<T, dyn, dyn, dyn, dyn> x, In<T, KH * KW, dyn> f,
               Out<T, dyn, dyn, dyn, dyn> y, i64 pad_h, i64 pad_w,
               i64 dilation_h, i64 dilation_w) {
  expects(y.extent(0) == x.extent(0) && y.extent(1) == x.extent(1));
  expects(f.cols() == x.extent(1) && x.extent(2) >= 1);
  expects(dilation_h >= 1 && dilation_h <= 4096);
  expects(dilation_w >= 1 && dilation_w <= 4096);
  expects(pad_h >= 0 && pad_h <= 4096 && pad_w >= 0 && pad_w <= 4096);
  for (auto w : my_tiles<C, N>(permuted<0, 2, 1, 3>(y)))
    store(w, cast<T>(ops::convolve_channels<KH, KW, SH, SW>(
                 x[w.plane(0)], f, w.row(), w.plane(1), w.col(), pad_h, pad_w,
                 dilation_h, dilation_w)));
}
