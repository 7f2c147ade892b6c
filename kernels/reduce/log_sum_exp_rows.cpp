// log(sum(exp(x))) of each row, which may be of any length.
#include "belay/ops/numbers.h"
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void log_sum_exp_rows(In<T, dyn, dyn> x, Out<float> y) {
  expects(x.rows() == y.size());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float top = 0, total = 0;
    ops::softmax_over<N>(x[r], top, total);
    store(y, r, top + ops::log_of(total));
  }
}
