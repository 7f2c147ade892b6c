// The mean of each row. Rows may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void mean_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size() && x.cols() >= 1);
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    store(y, r, ops::sum_over<N>(x[r]) / float(x.cols()));
  }
}
