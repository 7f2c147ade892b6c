// Transposed convolution of signals, with stride, padding, dilation and groups:
// that of images of one row. x is [N * G, C / G, 1, L], f [G, K, O / G, C / G],
// bias [G, O / G], y [N * G, O / G, 1, L'].
// MultiKernelBench: convolution/conv_transposed_1d,
// convolution/conv_transposed_1d_dilated,
// convolution/conv_transposed_1d_asymmetric_input_square_kernel_padded_strided_dilated.
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 K, i64 S = 1, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void
conv_transpose1d(In<T, dyn, dyn, 1, dyn> x, In<T, dyn, K, dyn, dyn> f,
                 In<float, dyn, dyn> bias, Out<T, dyn, dyn, 1, dyn> y, i64 pad,
                 i64 dilation) {
  i64 groups = f.extent(0);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == x.extent(1));
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1));
  expects(dilation >= 1 && dilation <= 4096 && pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 1, 3>(y))) {
    i64 image = w.plane(0), g = image % groups;
    ops::each_phase<S>(w.col(), [&](i64 phase, auto cols) {
      auto t = ops::spread2<1, K, 1, S, C>(x[image], f[g], w.row(), 0, phase,
                                           cols, 0, pad, 1, dilation);
      store(strided<1>(slice<1>(y[image], 0), phase, S), w.row(), cols,
            cast<T>(t + load_column(bias[g], w.row())));
    });
  }
}
