// A convolution of volumes, then relu, leaky relu, gelu and sigmoid, plus a
// number for each output.
// MultiKernelBench: fuse/conv3d_relu_leaky_relu_gelu_sigmoid_bias_add.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv3d_relu_leaky_relu_gelu_sigmoid_bias_add(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> add, Out<T, dyn, dyn, dyn, dyn, dyn> y,
    float slope) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(add.size() == y.extent(1));
  ops::conv_map<KD, KH, KW, M, N, C>(x, f, bias, y, [&](const auto &t, auto o) {
    auto s = ops::gelu(ops::leaky_relu(relu(t), slope));
    return sigmoid(s) + load_column(add, o);
  });
}
