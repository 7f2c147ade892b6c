// A transposed convolution of volumes with a stride of 1, then the mean of as
// many planes as it has, plus a number for each output, softmax over outputs,
// and scaled tanh. A tile has all outputs, at most M.
// MultiKernelBench: fuse/convtranspose3d_mean_add_softmax_tanh_scaling.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void convtranspose3d_mean_add_softmax_tanh_scaling(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> add, Out<T, dyn, dyn, dyn, dyn> y, i64 pad,
    i64 planes, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) == y.extent(1) && add.size() == y.extent(1));
  expects(f.extent(1) <= M);
  expects(pad >= 0 && pad <= 4096);
  expects(planes >= 1 && planes <= 1 << 20);
  float part = 1.0f / float(planes);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 1, 3>(y))) {
    auto sum = zeros<float>(w);
    for (i64 d = 0; d < planes; ++d)
      sum = sum + ops::spread_line<KD, KH, KW, 1, 1, C>(x[w.plane(0)], f, bias,
                                                        w.row(), d, w.plane(1),
                                                        0, w.col(), pad);
    auto t = sum * part + load_column(add, w.row());
    auto e = exp(t - col_max(t));
    store(w, cast<T>(tanh(e / col_sum(e)) * factor));
  }
}
