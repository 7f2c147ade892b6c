// A convolution of volumes, then a quotient, the largest of P by P by P
// neighbours, the mean over all places, plus a number for each output, and the
// sum over outputs. A tile has all outputs, at most M.
// MultiKernelBench: fuse/conv3d_divide_max_global_avg_pool_bias_add_sum.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KD, i64 KH, i64 KW, i64 P, i64 M = 64, i64 N = 64,
          i64 C = 64>
[[belay::kernel]] void conv3d_divide_max_global_avg_pool_bias_add_sum(
    In<T, dyn, dyn, dyn, dyn, dyn> x, In<T, KD * KH * KW, dyn, dyn> f,
    In<float> bias, In<float> add, Out<float> y, float divisor) {
  expects(x.extent(0) == y.size() && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(2) >= 1 && x.extent(3) >= 1);
  expects(f.extent(1) <= M);
  expects(add.size() == f.extent(1));
  expects(x.extent(2) >= KD + P - 1 && x.extent(3) >= KH + P - 1);
  expects(x.extent(4) >= KW + P - 1);
  i64 planes = (x.extent(2) - KD + 1) / P, rows = (x.extent(3) - KH + 1) / P;
  i64 cols = (x.extent(4) - KW + 1) / P;
  auto outputs = span<M>(0, f.extent(1));
  for (auto w : my_tiles<1>(y)) {
    auto sum = column<float>(outputs, 0.0f);
    for (i64 d = 0; d < planes; ++d)
      for (i64 r = 0; r < rows; ++r)
        for (auto j : tiles<N>(cols)) {
          auto most = full<float>(outputs, j, -__builtin_inff());
          for (i64 a = 0; a < P; ++a)
            for (i64 b = 0; b < P; ++b)
              for (i64 c = 0; c < P; ++c)
                most = max(most, ops::conv_line<KD, KH, KW, P, P, C>(
                                     x[w.col().begin], f, bias, outputs, d, r,
                                     j, a, b, c, 0) /
                                     divisor);
          sum = sum + row_sum(most);
        }
    store(w,
          col_sum(sum * (1.0f / (float(planes) * float(rows) * float(cols))) +
                  load_column(add, outputs)));
  }
}
