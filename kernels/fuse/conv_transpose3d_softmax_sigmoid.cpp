// A transposed convolution of volumes with stride S, then softmax over the
// outputs of each place, and sigmoid. A tile has all outputs, at most M.
// MultiKernelBench: fuse/conv_transpose3d_softmax_sigmoid.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 128, i64 N = 32,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_softmax_sigmoid(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, Out<T, dyn, dyn, dyn, dyn, dyn> y, i64 pad) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) == y.extent(1));
  expects(f.extent(1) <= M);
  expects(pad >= 0 && pad <= 4096);
  ops::spread_map<KD, KH, KW, S, S, M, N, C>(x, f, bias, y, pad,
                                             [&](const auto &t, auto o) {
                                               auto e = exp(t - col_max(t));
                                               return sigmoid(e / col_sum(e));
                                             });
}
