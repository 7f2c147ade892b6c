// The mean of distances a where the label b is 1, of max(0, margin - a) where
// it is -1.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void hinge_embedding(In<T> a, In<T> b, PerCore<float> part,
                                       Out<float, 1> loss, float margin) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    return select(y > 0.0f, x, max(margin - x, 0.0f));
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
