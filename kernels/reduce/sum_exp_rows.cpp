// The sum of exp(x) of each row. Rows may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void sum_exp_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    auto lanes = exp(ops::rest_of<N>(x[r], -ops::infinity));
    ops::whole_tiles<N>(x[r], [&](const auto &t) { lanes = lanes + exp(t); });
    store(y, r, sum(lanes));
  }
}
