// The largest of K by K neighbours of planes x[plane][h][w], with a stride of 1
// and P rows and columns of padding. MultiKernelBench: pooling/max_pooling_2d.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 K, i64 P, i64 N = 1024>
[[belay::kernel]] void max_pool_2d(In<T, dyn, dyn, dyn> x,
                                   Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) >= K && x.extent(2) >= K);
  expects(y.extent(1) == x.extent(1) + 2 * P - K + 1);
  expects(y.extent(2) == x.extent(2) + 2 * P - K + 1);
  static_assert(P < K);
  i64 inner = x.extent(2) - K + 1; // columns that see no padding
  for (i64 p = core_index(); p < y.extent(0); p += core_count())
    for (i64 o = 0; o < y.extent(1); ++o) {
      i64 top = max(o - P, 0), bottom = min(o - P + K, x.extent(1));
      auto rows = span<K>(top, bottom - top);
      for (auto c : tiles<N>(inner)) {
        auto acc = full<float>(span<1>(0, 1), c, -ops::infinity);
        for (i64 k = 0; k < K; ++k) {
          auto t = load(x[p], rows, span<N>(c.begin + k, c.size));
          acc = max(acc, col_max(cast<float>(t)));
        }
        store(y[p][o], span<N>(c.begin + P, c.size), cast<T>(acc));
      }
      for (i64 e = 0; e < P; ++e) { // both ends, an element at a time
        auto first = load(x[p], rows, span<K>(0, K - P + e));
        store(y[p][o], e, T(maximum(cast<float>(first))));
        auto last = load(x[p], rows, span<K>(inner + e, K - 1 - e));
        store(y[p][o], inner + P + e, T(maximum(cast<float>(last))));
      }
    }
}
