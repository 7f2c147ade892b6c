// A transposed convolution of volumes with stride S, then a factor, the mean of
// neighbours, plus a number for each output, and another factor. S by S by S
// neighbours are pooled: the phases of the stride.
// MultiKernelBench: fuse/conv_transpose3d_scaling_avg_pool_bias_add_scaling.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_scaling_avg_pool_bias_add_scaling(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> add, Out<T, dyn, dyn, dyn, dyn, dyn> y, i64 pad,
    float factor, float last) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(add.size() == y.extent(1));
  expects(pad >= 0 && pad <= 4096);
  ops::spread_pool<KD, KH, KW, S, M, N, C>(
      x, f, bias, y, pad, 0.0f, [&](const auto &t, auto) { return copy(t); },
      [](const auto &s, const auto &t) { return s + t; },
      [&](const auto &s, auto o) {
        return (s * (factor / (S * S * S)) + load_column(add, o)) * last;
      });
}
