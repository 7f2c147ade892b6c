// A convolution of volumes, then softmax over the outputs of each place, and
// the largest of P by P by P neighbours, which is what two poolings leave. A
// tile has all outputs, at most M.
// MultiKernelBench: fuse/conv3d_softmax_max_pool_max_pool.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 P, i64 M = 64, i64 N = 32,
          i64 C = 64>
[[belay::kernel]] void conv3d_softmax_max_pool_max_pool(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, Out<T, dyn, dyn, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) == y.extent(1));
  expects(f.extent(1) <= M);
  ops::conv_pool<KD, KH, KW, P, P, M, N, C>(
      x, f, bias, y, 0.0f,
      [](const auto &t, auto) {
        auto e = exp(t - col_max(t));
        return e / col_sum(e);
      },
      [](const auto &s, const auto &t) { return max(s, t); },
      [](const auto &s) { return copy(s); });
}
