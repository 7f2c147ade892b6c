// mean(|a - b|).
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void l1(In<T> a, In<T> b, PerCore<float> part,
                          Out<float, 1> loss) {
  expects(a.size() == b.size() && a.size() >= 1);
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto x = cast<float>(load(a, s)), y = cast<float>(load(b, s));
    return abs(x - y);
  });
  ops::store_sum(loss, part, mine, 1.0f / float(a.size()));
}
