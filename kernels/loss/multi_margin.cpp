// The mean over rows of sum(max(0, margin - x[target] + x[i])) / C over all
// other classes i.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void multi_margin(In<T, dyn, C> x, In<i32> target,
                                    PerCore<float> part, Out<float, 1> loss,
                                    float margin) {
  expects(x.rows() == target.size() && x.rows() >= 1 &&
          core_count() <= max_cores);
  float mine = 0.0f;
  for (auto rows : my_spans<R>(x.rows())) {
    auto t = cast<float>(load(x, rows, span<C>(0, C)));
    auto hit = gather<Oob::trap>(t, load_column(target, rows));
    // The target itself adds margin.
    mine += sum(row_sum(max(t - hit + margin, 0.0f)) - margin);
  }
  ops::store_sum(loss, part, mine, 1.0f / float(C) / float(x.rows()));
}
