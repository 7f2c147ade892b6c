// A transposed convolution of volumes with stride S, then the largest of S by S
// by S neighbours, softmax over outputs, less a number for each, swish, and the
// largest output. A tile has all outputs, at most M.
// MultiKernelBench: fuse/conv_transpose3d_max_pool_softmax_subtract_swish_max.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv_transpose3d_max_pool_softmax_subtract_swish_max(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> less, Out<T, dyn, dyn, dyn, dyn> y, i64 pad) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) <= M);
  expects(pad >= 0 && pad <= 4096);
  expects(less.size() == f.extent(1));
  auto outputs = span<M>(0, f.extent(1));
  for (auto w : my_tiles<1, N>(y)) {
    auto most = full<float>(outputs, w.col(), -__builtin_inff());
    for (i64 a = 0; a < S; ++a)
      for (i64 b = 0; b < S; ++b)
        for (i64 c = 0; c < S; ++c)
          most =
              max(most, ops::spread_line<KD, KH, KW, S, S, C>(
                            x[w.plane(0)], f, bias, outputs, w.plane(1) * S + a,
                            w.row().begin * S + b, c, w.col(), pad));
    auto e = exp(most - col_max(most));
    auto t = e / col_sum(e) - load_column(less, outputs);
    store(w, cast<T>(col_max(ops::swish(t))));
  }
}
