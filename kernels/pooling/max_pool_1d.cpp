// The largest of K neighbours in each row, with a stride of 1 and P columns of
// padding. MultiKernelBench: pooling/max_pooling_1d.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 K, i64 P, i64 N = 4096>
[[belay::kernel]] void max_pool_1d(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() >= K);
  expects(y.cols() == x.cols() + 2 * P - K + 1);
  static_assert(P < K);
  i64 inner = x.cols() - K + 1; // outputs that see no padding
  for (i64 r = core_index(); r < y.rows(); r += core_count()) {
    for (auto c : tiles<N>(inner)) {
      auto acc = full<float>(span<1>(0, 1), c, -ops::infinity);
      for (i64 k = 0; k < K; ++k) {
        auto t = cast<float>(load(x[r], span<N>(c.begin + k, c.size)));
        acc = max(acc, t);
      }
      store(y[r], span<N>(c.begin + P, c.size), cast<T>(acc));
    }
    for (i64 o = 0; o < P; ++o) { // both ends, an element at a time
      auto first = cast<float>(load(x[r], span<K>(0, K - P + o)));
      store(y[r], o, T(maximum(first)));
      auto last = cast<float>(load(x[r], span<K>(inner + o, K - 1 - o)));
      store(y[r], inner + P + o, T(maximum(last)));
    }
  }
}
