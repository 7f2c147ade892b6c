// Average and maximum over windows of 2 by 2 of each plane.
#include "belay/kernel.h"
using namespace belay;

template <i64 W>
[[belay::kernel]] void avg_pool(In<float, dyn, dyn, W> x,
                                Out<float, dyn, dyn, W / 2> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) * 2);
  for (i64 p = core_index(); p < x.extent(0); p += core_count())
    for (i64 r = 0; r < y.extent(1); ++r) {
      auto even = x[p][2 * r].strided(0, 2), odd = x[p][2 * r].strided(1, 2);
      auto even1 = x[p][2 * r + 1].strided(0, 2);
      auto odd1 = x[p][2 * r + 1].strided(1, 2);
      auto c = span<W / 2>(0, W / 2);
      store(y[p][r], c,
            (load(even, c) + load(odd, c) + load(even1, c) + load(odd1, c)) *
                0.25f);
    }
}

template <i64 W>
[[belay::kernel]] void max_pool(In<float, dyn, dyn, W> x,
                                Out<float, dyn, dyn, W / 2> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) * 2);
  for (i64 p = core_index(); p < x.extent(0); p += core_count())
    for (i64 r = 0; r < y.extent(1); ++r) {
      auto c = span<W / 2>(0, W / 2);
      auto pair = [&](i64 row) {
        return max(load(x[p][row].strided(0, 2), c),
                   load(x[p][row].strided(1, 2), c));
      };
      store(y[p][r], c, max(pair(2 * r), pair(2 * r + 1)));
    }
}
