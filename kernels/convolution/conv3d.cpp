// Convolution of volumes by filters, with stride, padding, dilation and groups:
// conv2d with one more dimension. x is [N * G, C / G, D, H, W], f [G, KD * KH *
// KW, O / G, C / G], bias [G, O / G].
// MultiKernelBench: convolution/conv_standard_3d_square_input_square_kernel,
// convolution/conv_standard_3d_square_input_asymmetric_kernel,
// convolution/conv_standard_3d_asymmetric_input_square_kernel,
// convolution/conv_standard_3d_asymmetric_input_asymmetric_kernel.
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S = 1, i64 M = 64, i64 N = 128,
          i64 C = 64>
[[belay::kernel]] void
conv3d(In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, dyn, KD * KH * KW, dyn, dyn> f,
       In<float, dyn, dyn> bias, Out<T, dyn, dyn, dyn, dyn, dyn> y, i64 pad,
       i64 dilation) {
  i64 groups = f.extent(0);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == x.extent(1));
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(dilation >= 1 && dilation <= 4096 && pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 3, 1, 4>(y))) {
    i64 volume = w.plane(0), g = volume % groups;
    auto t = ops::convolve3<KD, KH, KW, S, S, S, C>(
        x[volume], f[g], w.row(), w.plane(1), w.plane(2), w.col(), 0, 0, 0, pad,
        pad, pad, dilation, dilation, dilation);
    store(w, cast<T>(t + load_column(bias[g], w.row())));
  }
}
