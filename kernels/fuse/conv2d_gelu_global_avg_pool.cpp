// A convolution of images, which are volumes of one plane, then the mean of
// gelu over all pixels.
// MultiKernelBench: fuse/conv2d_gelu_global_avg_pool.
#include "belay/ops/activations.h"
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void
conv2d_gelu_global_avg_pool(In<T, dyn, dyn, 1, dyn, dyn> x,
                            In<T, KH * KW, dyn, dyn> f, In<float> bias,
                            Out<float, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(3) >= 1);
  expects(f.extent(1) == y.cols());
  expects(x.extent(3) >= KH && x.extent(4) >= KW);
  i64 rows = x.extent(3) - KH + 1, cols = x.extent(4) - KW + 1;
  for (auto w : my_tiles<1, M>(y)) {
    auto sum = column<float>(w.col(), 0.0f);
    for (i64 r = 0; r < rows; ++r)
      for (auto c : tiles<N>(cols))
        sum = sum +
              row_sum(ops::gelu(ops::conv_line<1, KH, KW, 1, 1, C>(
                  x[w.row().begin], f, bias, w.col(), 0, r, c, 0, 0, 0, 0)));
    store(w, transpose(sum) * (1.0f / (float(rows) * float(cols))));
  }
}
