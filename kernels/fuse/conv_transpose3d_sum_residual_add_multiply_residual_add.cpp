// A transposed convolution of volumes with stride S, then (2 t + a) t + t, with
// a number a for each output.
// MultiKernelBench:
// fuse/conv_transpose3d_sum_residual_add_multiply_residual_add.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 128,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_sum_residual_add_multiply_residual_add(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> add, Out<T, dyn, dyn, dyn, dyn, dyn> y, i64 pad) {
  expects(x.extent(0) == y.extent(0) && f.extent(1) == y.extent(1));
  expects(f.extent(2) == x.extent(1) && bias.size() == y.extent(1));
  expects(x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(add.size() == y.extent(1));
  expects(pad >= 0 && pad <= 4096);
  ops::spread_map<KD, KH, KW, S, S, M, N, C>(
      x, f, bias, y, pad, [&](const auto &t, auto o) {
        return (t + load_column(add, o) + t) * t + t;
      });
}
