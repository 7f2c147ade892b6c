// The entropy of each row of probabilities: the sum of -p log(p). Rows may be
// of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void entropy_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    store(y, r, ops::sum_over<N>(x[r], [](const auto &t) {
            return select(t == 0.0f, full_like(t, 0.0f), -t * log(t));
          }));
  }
}
