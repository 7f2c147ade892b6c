// A transposed convolution of volumes with stride S, then leaky relu, a factor
// for each output, leaky relu again, and the largest of neighbours. S by S by S
// neighbours are pooled: the phases of the stride.
// MultiKernelBench: fuse/conv_transpose3d_leaky_relu_multiply_leaky_relu_max.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_leaky_relu_multiply_leaky_relu_max(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> factors, Out<T, dyn, dyn, dyn, dyn, dyn> y,
    i64 pad, float slope) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(factors.size() == y.extent(1));
  expects(pad >= 0 && pad <= 4096);
  ops::spread_pool<KD, KH, KW, S, M, N, C>(
      x, f, bias, y, pad, -__builtin_inff(),
      [&](const auto &t, auto o) {
        return ops::leaky_relu(
            ops::leaky_relu(t, slope) * load_column(factors, o), slope);
      },
      [](const auto &s, const auto &t) { return max(s, t); },
      [&](const auto &s, auto) { return copy(s); });
}
