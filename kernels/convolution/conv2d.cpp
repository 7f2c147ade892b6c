// Convolution of images by filters, with stride, padding, dilation and groups,
// each in both directions. Images of a group are one plane, filters have their
// taps first: x is [N * G, C / G, H, W], f [G, KH * KW, O / G, C / G], bias [G,
// O / G]. A tile has the channels of a row of pixels.
// MultiKernelBench: convolution/conv_standard_2d_square_input_square_kernel,
// convolution/conv_standard_2d_square_input_asymmetric_kernel,
// convolution/conv_standard_2d_asymmetric_input_square_kernel,
// convolution/conv_standard_2d_asymmetric_input_asymmetric_kernel,
// convolution/conv_standard_2d_square_input_asymmetric_kernel_dilated_padded.
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 SH = 1, i64 SW = 1, i64 M = 64,
          i64 N = 128, i64 C = 64>
[[belay::kernel]] void
conv2d(In<T, dyn, dyn, dyn, dyn> x, In<T, dyn, KH * KW, dyn, dyn> f,
       In<float, dyn, dyn> bias, Out<T, dyn, dyn, dyn, dyn> y, i64 pad_h,
       i64 pad_w, i64 dilation_h, i64 dilation_w) {
  i64 groups = f.extent(0);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == x.extent(1));
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && x.extent(2) >= 1);
  expects(dilation_h >= 1 && dilation_h <= 4096);
  expects(dilation_w >= 1 && dilation_w <= 4096);
  expects(pad_h >= 0 && pad_h <= 4096 && pad_w >= 0 && pad_w <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 1, 3>(y))) {
    i64 image = w.plane(0), g = image % groups;
    auto t = ops::convolve2<KH, KW, SH, SW, C>(x[image], f[g], w.row(),
                                               w.plane(1), w.col(), 0, 0, pad_h,
                                               pad_w, dilation_h, dilation_w);
    store(w, cast<T>(t + load_column(bias[g], w.row())));
  }
}
