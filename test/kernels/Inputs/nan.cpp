// NaN stays NaN, on the scalar unit as on the vector unit.
#include "belay/kernel.h"
using namespace belay;

// Largest and smallest by the scalar unit: the branch keeps them there.
[[belay::kernel]] void scalars(In<float, dyn, 8> x, Out<float> y,
                               Out<float> z) {
  expects(x.rows() == y.size() && z.size() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float most = -3.4e38f, least = 3.4e38f;
    for (i64 k = 0; k < 8; ++k) {
      float v = sum(load(x, span<1>(r, 1), span<1>(k, 1)));
      if (v < 100.0f || v != v) {
        most = max(most, v);
        least = min(v, least);
      }
    }
    store(y, r, most);
    store(z, r, least);
  }
}

// What came before a position counts.
[[belay::kernel]] void prefixes(In<float, dyn, 8> x, Out<float, dyn, 8> y,
                                Out<float, dyn, 8> z) {
  expects(x.rows() == y.rows() && x.rows() == z.rows());
  for (auto w : my_rows<4>(y)) {
    store(w, row_cummax(load(x, w)));
    store(z, w.row(), w.col(), row_cummin(load(x, w)));
  }
}
