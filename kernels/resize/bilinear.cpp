// Bilinear interpolation of planes with W columns, h rows, to OW columns, oh
// rows. MultiKernelBench: resize/bilinear_upsample, resize/downsample_bilinear,
// resize/interpolate_dynamic. Planes are rows: x[plane][h * W + w].
#include "belay/ops/windows.h"
using namespace belay;

template <class T, i64 W, i64 OW, i64 R = ops::planes_for(W)>
[[belay::kernel]] void bilinear(In<T, dyn, dyn> x, Out<T, dyn, dyn> y, i64 h,
                                i64 oh) {
  expects(h >= 1 && h < 1 << 20 && oh >= 1 && oh < 1 << 20);
  expects(x.rows() == y.rows() && x.cols() == h * W && y.cols() == oh * OW);
  for (auto p : my_spans<R>(y.rows()))
    for (i64 o = 0; o < oh; ++o) {
      i64 at = max(ops::source_of(o, h, oh), 0);
      i64 r = min(at / (2 * oh), h - 1), s = min(r + 1, h - 1);
      float down = float(at % (2 * oh)) / float(2 * oh);
      auto t = cast<float>(load(x, p, span<W>(r * W, W))) * (1.0f - down) +
               cast<float>(load(x, p, span<W>(s * W, W))) * down;
      auto from = ops::column_numbers(t);
      ops::store_columns<OW>(y, p, o * OW, [&](i64 c) {
        i64 at = max(ops::source_of(c, W, OW), 0), i = at / (2 * OW);
        float f = float(at % (2 * OW)) / float(2 * OW);
        return row_sum(ops::only(t, from, i) * (1.0f - f) +
                       ops::only(t, from, min(i + 1, W - 1)) * f);
      });
    }
}
