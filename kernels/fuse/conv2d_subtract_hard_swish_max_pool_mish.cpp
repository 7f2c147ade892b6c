// A convolution of images, which are volumes of one plane, then hard swish of a
// difference, the largest of neighbours, and mish. P by P neighbours are
// pooled.
// MultiKernelBench: fuse/conv2d_subtract_hard_swish_max_pool_mish.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 P, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv2d_subtract_hard_swish_max_pool_mish(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    Out<T, dyn, dyn, 1, dyn, dyn> y, float less) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  ops::conv_pool<1, KH, KW, 1, P, M, N, C>(
      x, f, bias, y, -__builtin_inff(),
      [&](const auto &t, auto) { return ops::hardswish(t - less); },
      [](const auto &s, const auto &t) { return max(s, t); },
      [](const auto &s) { return ops::mish(s); });
}
