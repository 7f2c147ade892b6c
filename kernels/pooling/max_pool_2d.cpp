// The largest of K by K neighbours of planes x[plane][h][w], with a stride of 1
// and P rows and columns of padding. MultiKernelBench: pooling/max_pooling_2d.
// Neighbours of a tile are tiles that are loaded from beside it.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 K, i64 P, i64 R = 16, i64 N = 256>
[[belay::kernel]] void max_pool_2d(In<T, dyn, dyn, dyn> x,
                                   Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) >= K && x.extent(2) >= K);
  expects(y.extent(1) == x.extent(1) + 2 * P - K + 1);
  expects(y.extent(2) == x.extent(2) + 2 * P - K + 1);
  static_assert(P < K);
  for (auto w : my_tiles<R, N>(y)) {
    auto most = full<float>(w, -ops::infinity);
    for (i64 k = 0; k < K * K; ++k) {
      auto rows = span<R>(w.row().begin + k / K - P, w.row().size);
      auto cols = span<N>(w.col().begin + k % K - P, w.col().size);
      auto t = load_or(x[w.plane()], rows, cols, T(-ops::infinity));
      most = max(most, cast<float>(t));
    }
    store(w, cast<T>(most));
  }
}
