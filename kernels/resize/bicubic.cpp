// Bicubic interpolation of planes with W columns, h rows, to OW columns, oh
// rows. MultiKernelBench: resize/bicubic_upsample. Planes are rows: x[plane][h
// * W + w].
#include "belay/ops/windows.h"
using namespace belay;

template <class T, i64 W, i64 OW, i64 R = ops::planes_for(W)>
[[belay::kernel]] void bicubic(In<T, dyn, dyn> x, Out<T, dyn, dyn> y, i64 h,
                               i64 oh) {
  expects(h >= 1 && h < 1 << 20 && oh >= 1 && oh < 1 << 20);
  expects(x.rows() == y.rows() && x.cols() == h * W && y.cols() == oh * OW);
  for (auto p : my_spans<R>(y.rows()))
    for (i64 o = 0; o < oh; ++o) {
      i64 at = ops::source_of(o, h, oh) + 2 * oh; // from row -1 on
      i64 r = at / (2 * oh) - 1;
      float f = float(at % (2 * oh)) / float(2 * oh);
      auto row = [&](i64 k, float weight) {
        i64 clamped = max(min(k, h - 1), 0);
        return cast<float>(load(x, p, span<W>(clamped * W, W))) * weight;
      };
      auto t = row(r - 1, ops::cubic_far(f)) + row(r, ops::cubic_near(f)) +
               row(r + 1, ops::cubic_near(1.0f - f)) +
               row(r + 2, ops::cubic_far(1.0f - f));
      auto from = ops::column_numbers(t);
      ops::store_columns<OW>(y, p, o * OW, [&](i64 c) {
        i64 at = ops::source_of(c, W, OW) + 2 * OW, i = at / (2 * OW) - 1;
        float f = float(at % (2 * OW)) / float(2 * OW);
        auto column = [&](i64 k, float weight) {
          return ops::only(t, from, max(min(k, W - 1), 0)) * weight;
        };
        return row_sum(column(i - 1, ops::cubic_far(f)) +
                       column(i, ops::cubic_near(f)) +
                       column(i + 1, ops::cubic_near(1.0f - f)) +
                       column(i + 2, ops::cubic_far(1.0f - f)));
      });
    }
}
