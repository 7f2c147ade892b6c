// The mean cross entropy of logits x[row][class] with label smoothing.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void
cross_entropy_smoothed(In<T, dyn, C> x, In<i32> target, PerCore<float> part,
                       Out<float, 1> loss, float smoothing) {
  expects(x.rows() == target.size() && x.rows() >= 1 &&
          core_count() <= max_cores);
  float mine = 0.0f;
  for (auto rows : my_spans<R>(x.rows())) {
    auto t = cast<float>(load(x, rows, span<C>(0, C)));
    auto d = t - row_max(t);
    auto p = d - log(row_sum(exp(d)));
    auto hit = gather<Oob::trap>(p, load_column(target, rows));
    mine += sum(hit * (1.0f - smoothing) + row_mean(p) * smoothing);
  }
  ops::store_sum(loss, part, -mine, 1.0f / float(x.rows()));
}
