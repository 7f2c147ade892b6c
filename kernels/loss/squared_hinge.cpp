// The mean of max(0, 1 - a b)^2.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void squared_hinge(In<T> a, In<T> b, PerCore<float> part,
                                     Out<float, 1> loss) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    auto h = max(1.0f - x * y, 0.0f);
    return h * h;
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
