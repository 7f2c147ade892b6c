// A transposed convolution of images, which are volumes of one plane, with
// stride S, then mish plus a number, between -1 and 1, scaled.
// MultiKernelBench: fuse/conv_transpose2d_mish_add_hardtanh_scaling.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 128, i64 C = 64>
[[belay::kernel]] void conv_transpose2d_mish_add_hardtanh_scaling(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    Out<T, dyn, dyn, 1, dyn, dyn> y, i64 pad, float more, float factor) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
  ops::spread_map<1, KH, KW, 1, S, M, N, C>(
      x, f, bias, y, pad, [&](const auto &t, auto) {
        return clamp(ops::mish(t) + more, -1.0f, 1.0f) * factor;
      });
}
