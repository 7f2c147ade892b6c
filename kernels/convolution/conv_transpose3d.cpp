// Transposed convolution of volumes, with stride, padding, dilation and groups:
// conv_transpose2d with one more dimension. x is [N * G, C / G, D, H, W], f [G,
// KD * KH * KW, O / G, C / G], bias [G, O / G].
// MultiKernelBench: convolution/conv_transposed_3d_square_input_square_kernel,
// convolution/conv_transposed_3d_square_input_asymmetric_kernel,
// convolution/conv_transposed_3d_asymmetric_input_square_kernel,
// convolution/conv_transposed_3d_asymmetric_input_asymmetric_kernel,
// convolution/conv_transposed_3d_square_input_square_kernel_padded_dilated_strided,
// convolution/conv_transposed_3d_asymmetric_input_square_kernel_strided_padded_grouped,
// convolution/conv_transposed_3d_asymmetric_input_asymmetric_kernel_strided_padded_grouped.
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S = 1, i64 M = 64, i64 N = 128,
          i64 C = 64>
[[belay::kernel]] void
conv_transpose3d(In<T, dyn, dyn, dyn, dyn, dyn> x,
                 In<T, dyn, KD * KH * KW, dyn, dyn> f, In<float, dyn, dyn> bias,
                 Out<T, dyn, dyn, dyn, dyn, dyn> y, i64 pad_d, i64 pad_h,
                 i64 pad_w, i64 dilation) {
  i64 groups = f.extent(0);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == x.extent(1));
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(dilation >= 1 && dilation <= 4096 && pad_d >= 0 && pad_d <= 4096);
  expects(pad_h >= 0 && pad_h <= 4096 && pad_w >= 0 && pad_w <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y))) {
    i64 volume = w.plane(0), g = volume % groups;
    ops::each_phase<S>(w.col(), [&](i64 phase, auto cols) {
      auto t = ops::spread3<KD, KH, KW, S, S, S, C>(
          x[volume], f[g], w.row(), w.plane(1), w.plane(2), phase, cols, pad_d,
          pad_h, pad_w, dilation, dilation, dilation);
      auto line = slice<1>(slice<1>(y[volume], w.plane(1)), w.plane(2));
      store(strided<1>(line, phase, S), w.row(), cols,
            cast<T>(t + load_column(bias[g], w.row())));
    });
  }
}
