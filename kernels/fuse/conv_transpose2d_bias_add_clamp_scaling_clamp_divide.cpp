// A transposed convolution of images, which are volumes of one plane, with
// stride S, then plus a number for each output, between 0 and 1, scaled,
// between 0 and 1 again, and scaled back.
// MultiKernelBench: fuse/conv_transpose2d_bias_add_clamp_scaling_clamp_divide.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv_transpose2d_bias_add_clamp_scaling_clamp_divide(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> add, Out<T, dyn, dyn, 1, dyn, dyn> y, i64 pad, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  expects(add.size() == y.extent(1));
  expects(pad >= 0 && pad <= 4096);
  ops::spread_map<1, KH, KW, 1, S, M, N, C>(
      x, f, bias, y, pad, [&](const auto &t, auto o) {
        auto s = clamp(t + load_column(add, o), 0.0f, 1.0f) * factor;
        return clamp(s, 0.0f, 1.0f) / factor;
      });
}
