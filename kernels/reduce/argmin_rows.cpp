// Where the first smallest element of each row is, which may be of any length.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void argmin_rows(In<T, dyn, dyn> x, Out<i32> y) {
  expects(x.rows() == y.size() && x.cols() >= 1 && x.cols() < 1 << 24);
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    auto best = full<1, N, float>(ops::infinity);
    auto where = cast<float>(iota<N, i32>());
    for (auto c : tiles<N>(x.cols())) {
      auto t = cast<float>(load(x[r], c, T(ops::infinity)));
      where = select(t < best, cast<float>(iota<N, i32>(i32(c.begin))), where);
      best = min(best, t);
    }
    auto first = select(best == minimum(best), where, 3.0e38f);
    store(y, r, i32(sum(cast<i32>(full<1, 1, float>(minimum(first))))));
  }
}
