// The product of each row. Rows may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void prod_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    auto lanes = ops::rest_of<N>(x[r], 1.0f);
    ops::whole_tiles<N>(x[r], [&](const auto &t) { lanes = lanes * t; });
    store(y, r, prod(lanes));
  }
}
