// x[r][c] plus all updates[r][k] whose index ids[r][k] is c; indices outside of
// the row count for nothing. Rows of C columns and K updates on chip, added in
// order: one comparison of all columns for each update.
// MultiKernelBench: index/scatter_add.
#include "belay/kernel.h"
using namespace belay;

template <class T, class I, i64 C, i64 K, i64 R = 1>
[[belay::kernel]] void scatter_add_columns(In<T, dyn, C> x, In<I, dyn, K> ids,
                                           In<T, dyn, K> updates,
                                           Out<T, dyn, C> y) {
  expects(x.rows() == y.rows() && ids.rows() == y.rows());
  expects(updates.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto result = cast<float>(load(x, w));
    auto where = cast<i32>(load(ids, w.row(), span<K>(0, K)));
    auto what = cast<float>(load(updates, w.row(), span<K>(0, K)));
    for (i64 k = 0; k < K; ++k) {
      auto at = column<i32>(w.row(), i32(k));
      auto hit = col_index<i32>(w) == gather<Oob::clamp>(where, at);
      auto more = result + gather<Oob::clamp>(what, at);
      result = select(hit, more, result);
    }
    store(w, cast<T>(result));
  }
}
