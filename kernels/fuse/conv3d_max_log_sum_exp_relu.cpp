// A convolution of volumes, then the largest of P by P by P neighbours, the
// logarithm of the sum of exponentials over outputs, and relu. A tile has all
// outputs, at most M.
// MultiKernelBench: fuse/conv3d_max_log_sum_exp_relu.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 P, i64 M = 64, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void
conv3d_max_log_sum_exp_relu(In<T, dyn, dyn, dyn, dyn, dyn> x,
                            In<T, KD * KH * KW, dyn, dyn> f, In<float> bias,
                            Out<T, dyn, dyn, dyn, dyn> y, i64 pad) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) <= M);
  expects(pad >= 0 && pad <= 4096);
  auto outputs = span<M>(0, f.extent(1));
  for (auto w : my_tiles<1, N>(y)) {
    auto most = full<float>(outputs, w.col(), -__builtin_inff());
    for (i64 a = 0; a < P; ++a)
      for (i64 b = 0; b < P; ++b)
        for (i64 c = 0; c < P; ++c)
          most = max(most, ops::conv_line<KD, KH, KW, P, P, C>(
                               x[w.plane(0)], f, bias, outputs, w.plane(1),
                               w.row().begin, w.col(), a, b, c, pad));
    auto top = col_max(most);
    store(w, cast<T>(relu(top + log(col_sum(exp(most - top))))));
  }
}
