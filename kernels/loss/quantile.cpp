// The mean pinball loss of a prediction b of a quantile of a.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void quantile(In<T> a, In<T> b, PerCore<float> part,
                                Out<float, 1> loss, float q) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto d = x - y;
    return max(d * q, d * (q - 1.0f));
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
