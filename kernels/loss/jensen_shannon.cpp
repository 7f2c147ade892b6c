// The mean of terms of the Jensen-Shannon divergence of probabilities a and b.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void jensen_shannon(In<T> a, In<T> b, PerCore<float> part,
                                      Out<float, 1> loss) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto m = log((x + y) * 0.5f);
    auto p = select(x > 0.0f, x * (log(x) - m), full_like(x, 0.0f));
    auto q = select(y > 0.0f, y * (log(y) - m), full_like(y, 0.0f));
    return (p + q) * 0.5f;
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
