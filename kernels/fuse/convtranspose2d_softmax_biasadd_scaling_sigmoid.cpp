// A transposed convolution of images, which are volumes of one plane, with
// stride S, then softmax over the outputs of each pixel, plus a number for each
// output, scaled, and sigmoid. A tile has all outputs, at most M.
// MultiKernelBench: fuse/convtranspose2d_softmax_biasadd_scaling_sigmoid.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 S, i64 M = 128, i64 N = 32, i64 C = 64>
[[belay::kernel]] void convtranspose2d_softmax_biasadd_scaling_sigmoid(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> add, Out<T, dyn, dyn, 1, dyn, dyn> y, i64 pad, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(3) >= 1);
  expects(f.extent(1) == y.extent(1));
  expects(f.extent(1) <= M);
  expects(add.size() == y.extent(1));
  expects(pad >= 0 && pad <= 4096);
  ops::spread_map<1, KH, KW, 1, S, M, N, C>(
      x, f, bias, y, pad, [&](const auto &t, auto o) {
        auto e = exp(t - col_max(t));
        return sigmoid((e / col_sum(e) + load_column(add, o)) * factor);
      });
}
