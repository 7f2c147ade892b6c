// The mean of d^2 of distances a of like pairs (b is 1), of max(0, margin -
// d)^2 of the others (b is 0).
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void contrastive_pair(In<T> a, In<T> b, PerCore<float> part,
                                        Out<float, 1> loss, float margin) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto far = max(margin - x, 0.0f);
    return select(y > 0.5f, x * x, far * far);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
