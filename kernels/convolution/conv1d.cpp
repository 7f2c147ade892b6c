// Convolution of signals by filters, with stride, padding, dilation and groups.
// Signals of a group are one plane, filters have their taps first: x is [N * G,
// C / G, L], f [G, K, O / G, C / G], bias [G, O / G].
// MultiKernelBench: convolution/conv_standard_1d,
// convolution/conv_standard_1d_dilated_strided.
#include "belay/ops/convolution.h"
using namespace belay;

template <class T, i64 S = 1, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv1d(In<T, dyn, dyn, dyn> x,
                              In<T, dyn, dyn, dyn, dyn> f,
                              In<float, dyn, dyn> bias, Out<T, dyn, dyn, dyn> y,
                              i64 pad, i64 dilation) {
  i64 groups = f.extent(0);
  expects(groups >= 1 && bias.rows() == groups && f.extent(3) == x.extent(1));
  expects(y.extent(0) == x.extent(0) && y.extent(1) == f.extent(2));
  expects(bias.cols() == y.extent(1) && f.extent(1) <= 4096);
  expects(dilation >= 1 && dilation <= 4096 && pad >= 0 && pad <= 4096);
  for (auto w : my_tiles<M, N>(y)) {
    i64 g = w.plane() % groups;
    auto t = ops::convolve1<S, C>(x[w.plane()], f[g], w.row(), w.col(), pad,
                                  dilation);
    store(w, cast<T>(t + load_column(bias[g], w.row())));
  }
}
