// The length of a vector: the root of the sum of squares.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void l2_norm_all(In<T> x, PerCore<float> part,
                                   Out<float, 1> y) {
  expects(core_count() <= max_cores);
  float mine = ops::sum_mine<N>(x.size(), [&](auto s) {
    auto t = cast<float>(load(x, s));
    return t * t;
  });
  float total = ops::sum_cores(part, mine);
  if (first_core())
    store(y, 0, ops::sqrt_of(total));
}
