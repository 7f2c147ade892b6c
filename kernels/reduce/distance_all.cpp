// The distance of two vectors.
#include "belay/ops/numbers.h"
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void distance_all(In<T> a, In<T> b, PerCore<float> part,
                                    Out<float, 1> y) {
  expects(a.size() == b.size() && core_count() <= max_cores);
  float mine = ops::sum_mine<N>(a.size(), [&](auto s) {
    auto d = cast<float>(load(a, s)) - cast<float>(load(b, s));
    return d * d;
  });
  float total = ops::sum_cores(part, mine);
  if (first_core())
    store(y, 0, ops::sqrt_of(total));
}
