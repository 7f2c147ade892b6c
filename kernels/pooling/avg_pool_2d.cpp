// The mean of windows of K by K of planes with W columns and h rows, side by
// side. MultiKernelBench: pooling/average_pooling_2d. Planes are rows:
// x[plane][h * W + w].
#include "belay/ops/windows.h"
using namespace belay;

template <class T, i64 W, i64 K, i64 R = ops::planes_for(W)>
[[belay::kernel]] void avg_pool_2d(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                   i64 h) {
  constexpr i64 OW = W / K;
  expects(h >= 0 && h < 1 << 20 && x.rows() == y.rows());
  expects(x.cols() == h * W && y.cols() == h / K * OW);
  for (auto p : my_spans<R>(y.rows()))
    for (i64 o = 0; o < h / K; ++o) {
      auto t = zeros<float>(p, span<W>(0, W));
      for (i64 k = 0; k < K; ++k)
        t = t + cast<float>(load(x, p, span<W>((o * K + k) * W, W)));
      auto from = ops::column_numbers(t);
      ops::store_columns<OW>(y, p, o * OW, [&](i64 c) {
        auto window = ops::between(t, from, c * K, c * K + K - 1, 0.0f);
        return row_sum(window) * (1.0f / (K * K));
      });
    }
}
