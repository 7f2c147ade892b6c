// 1 if an element of a row is not 0, 0 elsewhere. Rows may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void any_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float count = ops::sum_over<N>(x[r], [](const auto &t) {
      return select(t == 0.0f, full_like(t, 0.0f), full_like(t, 1.0f));
    });
    store(y, r, min(count, 1.0f));
  }
}
