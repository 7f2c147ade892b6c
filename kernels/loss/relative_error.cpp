// The mean of |a - b| / max(|b|, eps): the mean absolute percentage error.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void relative_error(In<T> a, In<T> b, PerCore<float> part,
                                      Out<float, 1> loss, float eps) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    return abs(x - y) / max(abs(y), eps);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
