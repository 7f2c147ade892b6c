// A convolution of images, which are volumes of one plane, then a factor for
// each output, leaky relu and gelu.
// MultiKernelBench: fuse/conv2d_multiply_leaky_relu_gelu.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv2d_multiply_leaky_relu_gelu(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> factors, Out<T, dyn, dyn, 1, dyn, dyn> y, float slope) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  expects(factors.size() == y.extent(1));
  ops::conv_map<1, KH, KW, M, N, C>(x, f, bias, y, [&](const auto &t, auto o) {
    return ops::gelu(ops::leaky_relu(t * load_column(factors, o), slope));
  });
}
