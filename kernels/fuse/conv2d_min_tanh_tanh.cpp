// A convolution of images, which are volumes of one plane, then the least
// output of each pixel, and tanh twice.
// MultiKernelBench: fuse/conv2d_min_tanh_tanh.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void
conv2d_min_tanh_tanh(In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f,
                     In<float> bias, Out<T, dyn, 1, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(3) >= 1);
  ops::conv_fold<1, KH, KW, M, N, C>(
      x, f, bias, y, __builtin_inff(),
      [&](const auto &s, const auto &t) { return min(s, col_min(t)); },
      [](const auto &s) { return tanh(tanh(s)); });
}
