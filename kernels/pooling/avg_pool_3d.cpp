// The mean of K^3 neighbours of volumes of D x H x W, with a stride of S and
// padding of P on all sides that counts; x[volume][element]. MultiKernelBench:
// pooling/average_pooling_3d.
#include "belay/ops/windows.h"
using namespace belay;

template <class T, i64 D, i64 H, i64 W, i64 K, i64 S, i64 P,
          i64 R = ops::planes_for(W)>
[[belay::kernel]] void
avg_pool_3d(In<T, dyn, D * H * W> x,
            Out<T, dyn,
                ((D + 2 * P - K) / S + 1) * ((H + 2 * P - K) / S + 1) *
                    ((W + 2 * P - K) / S + 1)>
                y) {
  constexpr i64 OD = (D + 2 * P - K) / S + 1, OH = (H + 2 * P - K) / S + 1;
  constexpr i64 OW = (W + 2 * P - K) / S + 1;
  expects(x.rows() == y.rows());
  for (auto p : my_spans<R>(y.rows()))
    for (i64 u = 0; u < OD; ++u)
      for (i64 v = 0; v < OH; ++v) {
        auto t = full<float>(p, span<W>(0, W), 0.0f);
        for (i64 q = max(u * S - P, 0); q < min(u * S - P + K, D); ++q)
          for (i64 r = max(v * S - P, 0); r < min(v * S - P + K, H); ++r) {
            auto line = cast<float>(load(x, p, span<W>((q * H + r) * W, W)));
            t = t + line;
          }
        auto from = ops::column_numbers(t);
        ops::store_columns<OW>(y, p, (u * OH + v) * OW, [&](i64 c) {
          return row_sum(ops::between(t, from, c * S - P, c * S - P + K - 1,
                                      0.0f)) *
                 (1.0f / (K * K * K));
        });
      }
}
