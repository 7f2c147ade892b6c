// A convolution of volumes, then tanh of a multiple for each output, and
// sigmoid of a multiple for each output of that.
// MultiKernelBench: fuse/conv3d_scaling_tanh_multiply_sigmoid.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv3d_scaling_tanh_multiply_sigmoid(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> scale, In<float> factors,
    Out<T, dyn, dyn, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(factors.size() == y.extent(1));
  expects(scale.size() == y.extent(1));
  ops::conv_map<KD, KH, KW, M, N, C>(x, f, bias, y, [&](const auto &t, auto o) {
    auto s = tanh(t * load_column(scale, o));
    return sigmoid(s * load_column(factors, o));
  });
}
