// Bilinear reduction with antialiasing of planes with W columns, h rows, to OW
// columns, oh rows: weights are triangles as wide as two outputs.
// MultiKernelBench: resize/resize_with_antialias.
// Planes are rows: x[plane][h * W + w].
#include "belay/ops/windows.h"
using namespace belay;

template <class T, i64 W, i64 OW, i64 R = ops::planes_for(W)>
[[belay::kernel]] void antialias(In<T, dyn, dyn> x, Out<T, dyn, dyn> y, i64 h,
                                 i64 oh) {
  expects(h < 1 << 20 && oh >= 1 && oh <= h);
  expects(x.rows() == y.rows() && x.cols() == h * W && y.cols() == oh * OW);
  static_assert(OW <= W, "only reductions");
  for (auto p : my_spans<R>(y.rows()))
    for (i64 o = 0; o < oh; ++o) {
      // In units of 1 / (2 oh), input k is at (2 k + 1) oh, and 2 h wide.
      i64 first = max(((2 * o + 1) * h - 2 * h) / (2 * oh), 0);
      i64 last = min(((2 * o + 1) * h + 2 * h) / (2 * oh) + 1, h);
      auto t = zeros<float>(p, span<W>(0, W));
      float total = 0;
      for (i64 k = first; k < last; ++k) {
        float d = float((2 * k + 1) * oh - (2 * o + 1) * h) / float(2 * h);
        float weight = max(1.0f - max(d, -d), 0.0f);
        t = t + cast<float>(load(x, p, span<W>(k * W, W))) * weight;
        total += weight;
      }
      auto from = ops::column_numbers(t);
      ops::store_columns<OW>(y, p, o * OW, [&](i64 c) {
        float center = (float(c) + 0.5f) * (float(W) / OW) - 0.5f;
        auto d = abs(from - center) * (float(OW) / W);
        auto weight = select(d < 1.0f, 1.0f - d, 0.0f);
        return row_sum(select(d < 1.0f, t * weight, 0.0f)) /
               (row_sum(weight) * total);
      });
    }
}
