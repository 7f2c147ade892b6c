// The sum of magnitudes of a vector.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void l1_norm_all(In<T> x, PerCore<float> part,
                                   Out<float, 1> y) {
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(
      x.size(), [&](auto s) { return abs(cast<float>(load(x, s))); });
  float total = ops::sum_cores(part, mine);
  if (first_core())
    store(y, 0, total);
}
