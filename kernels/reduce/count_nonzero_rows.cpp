// How many elements of each row are not 0. Rows may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void count_nonzero_rows(In<T, dyn, dyn> x, Out<i32> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    store(y, r,
          i32(sum(cast<i32>(
              full<1, 1, float>(ops::sum_over<N>(x[r], [](const auto &t) {
                return select(t == 0.0f, full_like(t, 0.0f),
                              full_like(t, 1.0f));
              }))))));
  }
}
