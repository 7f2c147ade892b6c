// Softmax of scaled scores x[query][key] in which query q sees the last W keys
// up to itself.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 C>
[[belay::kernel]] void softmax_sliding(In<T, dyn, C> x, Out<T, dyn, C> y,
                                       float scale, i64 window) {
  expects(x.rows() == y.rows() && x.rows() <= C && window >= 1 &&
          window < 1 << 30);
  for (i64 q = core_index(); q < y.rows(); q += core_count()) {
    auto t = cast<float>(load(x[q])) * scale;
    auto key = iota<C, i32>();
    auto seen = (key <= i32(q)) & (key > i32(q - window));
    auto score = select(seen, t, ops::lowest);
    auto kept = select(seen, exp(score - row_max(score)), 0.0f);
    store(y[q], span<C>(0, C), cast<T>(kept / row_sum(kept)));
  }
}
