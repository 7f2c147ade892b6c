// The mean negative log probability of targets, of log probabilities
// x[row][class].
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 C, i64 R = 8>
[[belay::kernel]] void nll(In<T, dyn, C> x, In<i32> target, PerCore<float> part,
                           Out<float, 1> loss) {
  expects(x.rows() == target.size() && x.rows() >= 1 &&
          core_count() <= max_cores);
  float mine = 0.0f;
  for (auto rows : my_spans<R>(x.rows())) {
    auto t = cast<float>(load(x, rows, span<C>(0, C)));
    mine += sum(gather<Oob::trap>(t, load_column(target, rows)));
  }
  ops::store_sum(loss, part, -mine, 1.0f / float(x.rows()));
}
