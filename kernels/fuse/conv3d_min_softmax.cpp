// A convolution of volumes, then the least of all planes, and softmax over the
// outputs of each pixel. A tile has all outputs, at most M.
// MultiKernelBench: fuse/conv3d_min_softmax.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv3d_min_softmax(In<T, dyn, dyn, dyn, dyn, dyn> x,
                                          In<T, KD * KH * KW, dyn, dyn> f,
                                          In<float> bias,
                                          Out<T, dyn, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) == y.extent(1) && x.extent(2) >= KD);
  expects(f.extent(1) <= M);
  for (auto w : my_tiles<M, N>(permuted<0, 2, 1, 3>(y))) {
    auto least = full<float>(w, __builtin_inff());
    for (i64 d = 0; d < x.extent(2) - KD + 1; ++d)
      least = min(least, ops::conv_line<KD, KH, KW, 1, 1, C>(
                             x[w.plane(0)], f, bias, w.row(), d, w.plane(1),
                             w.col(), 0, 0, 0, 0));
    auto e = exp(least - col_max(least));
    store(w, cast<T>(e / col_sum(e)));
  }
}
