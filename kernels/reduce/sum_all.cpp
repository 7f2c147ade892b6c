// The sum of all elements.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 8192>
[[belay::kernel]] void sum_all(In<T> x, PerCore<float> part, Out<float, 1> y) {
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(x.size(), [&](auto s) {
    auto t = cast<float>(load(x, s));
    return copy(t);
  });
  ops::store_sum(y, part, mine, 1.0f);
}
