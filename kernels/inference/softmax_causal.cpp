// Softmax of scaled scores x[query][key] in which query q sees keys 0 to q +
// offset.
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 C>
[[belay::kernel]] void softmax_causal(In<T, dyn, C> x, Out<T, dyn, C> y,
                                      float scale, i64 offset) {
  expects(x.rows() == y.rows() && x.rows() < 1 << 30);
  expects(offset >= 0 && offset < 1 << 30);
  for (i64 q = core_index(); q < y.rows(); q += core_count()) {
    auto t = cast<float>(load(x[q])) * scale;
    auto seen = iota<C, i32>() <= i32(q + offset);
    auto score = select(seen, t, ops::lowest);
    auto e = exp(score - row_max(score));
    auto kept = select(seen, e, 0.0f);
    store(y[q], span<C>(0, C), cast<T>(kept / row_sum(kept)));
  }
}
