// The mean of log(sum(exp(x)))^2 of rows of C columns, which keeps logits
// small.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void z_loss(In<T, dyn, C> x, PerCore<float> part,
                              Out<float, 1> loss) {
  expects(x.rows() >= 1 && core_count() <= max_cores);
  float mine = 0.0f;
  for (auto rows : my_spans<R>(x.rows())) {
    auto t = cast<float>(load(x, rows, span<C>(0, C)));
    auto top = row_max(t);
    auto z = top + log(row_sum(exp(t - top)));
    mine += sum(z * z);
  }
  ops::store_sum(loss, part, mine, 1.0f / float(x.rows()));
}
