// The sums of the rows of a table that are named from one offset to the next;
// an index that does not exist adds nothing.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 8>
[[belay::kernel]] void embedding_bag(In<T, dyn, C> table, In<i32> ids,
                                     In<i32> offsets, Out<T, dyn, C> out) {
  expects(offsets.size() == out.rows() + 1);
  for (i64 b = core_index(); b < out.rows(); b += core_count()) {
    i64 first = max(i64(sum(load(offsets, span<1>(b, 1)))), 0);
    i64 last = min(i64(sum(load(offsets, span<1>(b + 1, 1)))), ids.size());
    auto total = zeros<1, C, float>();
    for (auto s : tiles<R>(first, last)) {
      auto rows = gather<Oob::zero>(table, load_column(ids, s));
      total = total + col_sum(cast<float>(rows));
    }
    store(out[b], span<C>(0, C), cast<T>(total));
  }
}
