// 1 if no element of a row is 0, 0 elsewhere. Rows may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void all_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    auto hole = select(ops::rest_of<N>(x[r], 1.0f) == 0.0f,
                       full<1, N, float>(1.0f), full<1, N, float>(0.0f));
    ops::whole_tiles<N>(x[r], [&](const auto &t) {
      hole =
          max(hole, select(t == 0.0f, full_like(t, 1.0f), full_like(t, 0.0f)));
    });
    store(y, r, 1.0f - maximum(hole));
  }
}
