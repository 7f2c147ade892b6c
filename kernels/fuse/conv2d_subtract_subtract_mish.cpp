// A convolution of images, which are volumes of one plane, then mish of what is
// left when two numbers are subtracted.
// MultiKernelBench: fuse/conv2d_subtract_subtract_mish.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv2d_subtract_subtract_mish(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    Out<T, dyn, dyn, 1, dyn, dyn> y, float first, float second) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  ops::conv_map<1, KH, KW, M, N, C>(x, f, bias, y, [&](const auto &t, auto) {
    return ops::mish(t - first - second);
  });
}
