// The length of each row: the root of the sum of squares. Rows may be of any
// length.
#include "belay/ops/numbers.h"
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void l2_norm_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    store(y, r, ops::sqrt_of(ops::sum_over<N>(x[r], [](const auto &t) {
            return t * t;
          })));
  }
}
