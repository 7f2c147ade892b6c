// Nearest neighbours of planes with W columns, h rows, to OW columns, oh rows.
// MultiKernelBench: resize/nearest_neighbor_upsample.
// Planes are rows: x[plane][h * W + w].
#include "belay/ops/windows.h"
using namespace belay;

template <class T, i64 W, i64 OW, i64 R = ops::planes_for(W)>
[[belay::kernel]] void nearest(In<T, dyn, dyn> x, Out<T, dyn, dyn> y, i64 h,
                               i64 oh) {
  expects(h >= 1 && h < 1 << 20 && oh >= 1 && oh < 1 << 20);
  expects(x.rows() == y.rows() && x.cols() == h * W && y.cols() == oh * OW);
  for (auto p : my_spans<R>(y.rows()))
    for (i64 o = 0; o < oh; ++o) {
      i64 r = min(o * h / oh, h - 1);
      auto t = cast<float>(load(x, p, span<W>(r * W, W)));
      auto from = ops::column_numbers(t);
      ops::store_columns<OW>(y, p, o * OW, [&](i64 c) {
        return row_sum(ops::only(t, from, c * W / OW));
      });
    }
}
