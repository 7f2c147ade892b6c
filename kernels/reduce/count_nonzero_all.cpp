// How many elements are not 0, exact up to 2^24.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void count_nonzero_all(In<T> x, PerCore<float> part,
                                         Out<float, 1> y) {
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(x.size(), [&](auto s) {
    auto t = cast<float>(load(x, s));
    return select(t == 0.0f, full_like(t, 0.0f), full_like(t, 1.0f));
  });
  float total = ops::sum_cores(part, mine);
  if (first_core())
    store(y, 0, total);
}
