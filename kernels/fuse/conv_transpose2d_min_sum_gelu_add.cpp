// A transposed convolution of images, which are volumes of one plane, with
// stride S, then the least output of each pixel, the sum of as many rows as
// there are, gelu, and a number that is added. An image is one core's.
// MultiKernelBench: fuse/conv_transpose2d_min_sum_gelu_add.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 S, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void conv_transpose2d_min_sum_gelu_add(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    Out<T, dyn, dyn> y, i64 pad, i64 rows, float add) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(3) >= 1);
  expects(pad >= 0 && pad <= 4096);
  expects(rows >= 0 && rows <= 1 << 20);
  for (i64 n = core_index(); n < y.rows(); n += core_count())
    for (auto c : tiles<N>(y.cols()))
      ops::each_phase<S>(c, [&](i64 phase, auto cols) {
        auto sum = full<float>(span<1>(0, 1), cols, 0.0f);
        for (i64 r = 0; r < rows; ++r) {
          auto least = full<float>(span<1>(0, 1), cols, __builtin_inff());
          for (auto o : tiles<M>(f.extent(1)))
            least = min(least, col_min(ops::spread_line<1, KH, KW, 1, S, C>(
                                   x[n], f, bias, o, 0, r, phase, cols, pad)));
          sum = sum + least;
        }
        store(y[n].strided(phase, S), cols, cast<T>(ops::gelu(sum) + add));
      });
}
