// Trilinear interpolation of volumes of D x H x W to OD x OH x OW;
// x[volume][element]. MultiKernelBench: resize/trilinear_upsample.
#include "belay/ops/windows.h"
using namespace belay;

template <class T, i64 D, i64 H, i64 W, i64 OD, i64 OH, i64 OW,
          i64 R = ops::planes_for(W)>
[[belay::kernel]] void trilinear(In<T, dyn, D * H * W> x,
                                 Out<T, dyn, OD * OH * OW> y) {
  expects(x.rows() == y.rows());
  for (auto p : my_spans<R>(y.rows()))
    for (i64 u = 0; u < OD; ++u)
      for (i64 v = 0; v < OH; ++v) {
        i64 deep = max(ops::source_of(u, D, OD), 0), q = deep / (2 * OD);
        float back = float(deep % (2 * OD)) / float(2 * OD);
        i64 high = max(ops::source_of(v, H, OH), 0), r = high / (2 * OH);
        float down = float(high % (2 * OH)) / float(2 * OH);
        auto line = [&](i64 q, i64 r, float weight) {
          i64 at = (min(q, D - 1) * H + min(r, H - 1)) * W;
          return cast<float>(load(x, p, span<W>(at, W))) * weight;
        };
        auto t = line(q, r, (1.0f - back) * (1.0f - down)) +
                 line(q, r + 1, (1.0f - back) * down) +
                 line(q + 1, r, back * (1.0f - down)) +
                 line(q + 1, r + 1, back * down);
        auto from = ops::column_numbers(t);
        ops::store_columns<OW>(y, p, (u * OH + v) * OW, [&](i64 c) {
          i64 at = max(ops::source_of(c, W, OW), 0), i = at / (2 * OW);
          float f = float(at % (2 * OW)) / float(2 * OW);
          return row_sum(ops::only(t, from, i) * (1.0f - f) +
                         ops::only(t, from, min(i + 1, W - 1)) * f);
        });
      }
}
