// A convolution of images, which are volumes of one plane, then the mean of P
// by P neighbours, and the sum of its sigmoid over all outputs and pixels.
// MultiKernelBench: fuse/conv2d_avg_pool_sigmoid_sum.
#include "belay/ops/volumes.h"
using namespace belay;

template <class T, i64 KH, i64 KW, i64 P, i64 M = 64, i64 N = 64, i64 C = 64>
[[belay::kernel]] void
conv2d_avg_pool_sigmoid_sum(In<T, dyn, dyn, 1, dyn, dyn> x,
                            In<T, KH * KW, dyn, dyn> f, In<float> bias,
                            Out<float> y) {
  expects(x.extent(0) == y.size() && f.extent(2) == x.extent(1));
  expects(bias.size() == f.extent(1) && x.extent(3) >= 1);
  expects(x.extent(3) >= KH && x.extent(4) >= KW);
  i64 rows = (x.extent(3) - KH + 1) / P, cols = (x.extent(4) - KW + 1) / P;
  for (auto w : my_tiles<1>(y)) {
    i64 n = w.col().begin;
    auto total = full<float>(w, 0.0f);
    for (auto o : tiles<M>(f.extent(1)))
      for (i64 r = 0; r < rows; ++r)
        for (auto c : tiles<N>(cols)) {
          auto mean = zeros<float>(o, c);
          for (i64 a = 0; a < P; ++a)
            for (i64 b = 0; b < P; ++b)
              mean = mean + ops::conv_line<1, KH, KW, 1, P, C>(
                                x[n], f, bias, o, 0, r, c, 0, a, b, 0);
          auto s = row_sum(sigmoid(mean * (1.0f / (P * P))));
          total = total + col_sum(s);
        }
    store(w, total);
  }
}
