// A convolution of images, which are volumes of one plane, then scaled tanh,
// plus a number for each output, and the largest of neighbours. P by P
// neighbours are pooled.
// MultiKernelBench: fuse/conv2d_tanh_scaling_bias_add_max.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 P, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv2d_tanh_scaling_bias_add_max(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> add, Out<T, dyn, dyn, 1, dyn, dyn> y, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  expects(add.size() == y.extent(1));
  ops::conv_pool<1, KH, KW, 1, P, M, N, C>(
      x, f, bias, y, -__builtin_inff(),
      [&](const auto &t, auto o) {
        return tanh(t) * factor + load_column(add, o);
      },
      [](const auto &s, const auto &t) { return max(s, t); },
      [](const auto &s) { return copy(s); });
}
