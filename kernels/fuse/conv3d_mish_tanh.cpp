// A convolution of volumes, then mish and tanh.
// MultiKernelBench: fuse/conv3d_mish_tanh.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv3d_mish_tanh(In<T, dyn, dyn, dyn, dyn, dyn> x,
                                        In<T, KD * KH * KW, dyn, dyn> f,
                                        In<float> bias,
                                        Out<T, dyn, dyn, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  ops::conv_map<KD, KH, KW, M, N, C>(
      x, f, bias, y, [](const auto &t, auto) { return tanh(ops::mish(t)); });
}
