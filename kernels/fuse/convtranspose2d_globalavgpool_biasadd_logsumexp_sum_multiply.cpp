// A transposed convolution of images with a stride of 1, then the mean over all
// pixels, plus a number for each output, and 10 times the logarithm of the sum
// of exponentials over outputs. A tile has all outputs, at most M.
// MultiKernelBench:
// fuse/convtranspose2d_globalavgpool_biasadd_logsumexp_sum_multiply.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 M = 128, i64 N = 32, i64 C = 64>
[[belay::kernel]] void
convtranspose2d_globalavgpool_biasadd_logsumexp_sum_multiply(
    In<T, dyn, dyn, 1, dyn, dyn> x, In<T, KH * KW, dyn, dyn> f, In<float> bias,
    In<float> add, Out<float> y, i64 pad, i64 rows, i64 cols) {
  expects(x.extent(0) == y.size() && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(3) >= 1);
  expects(f.extent(1) <= M);
  expects(pad >= 0 && pad <= 4096);
  expects(rows >= 1 && rows <= 1 << 20 && cols >= 1 && cols <= 1 << 20);
  expects(add.size() == f.extent(1));
  auto outputs = span<M>(0, f.extent(1));
  for (auto w : my_tiles<1>(y)) {
    auto sum = column<float>(outputs, 0.0f);
    for (i64 r = 0; r < rows; ++r)
      for (auto c : tiles<N>(cols))
        sum = sum + row_sum(ops::spread_line<1, KH, KW, 1, 1, C>(
                        x[w.col().begin], f, bias, outputs, 0, r, 0, c, pad));
    auto t =
        sum * (1.0f / (float(rows) * float(cols))) + load_column(add, outputs);
    auto top = col_max(t);
    store(w, (top + log(col_sum(exp(t - top)))) * 10.0f);
  }
}
