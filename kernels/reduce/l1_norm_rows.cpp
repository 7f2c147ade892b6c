// The sum of magnitudes of each row. Rows may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void l1_norm_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    store(y, r, ops::sum_over<N>(x[r], [](const auto &t) { return abs(t); }));
  }
}
