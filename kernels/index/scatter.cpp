// y[r][ids[r][k]] = updates[r][k], elsewhere x[r][c]; of equal indices the last
// counts, those outside of the row count for nothing. Rows of C columns and K
// updates on chip: one comparison of all columns for each update.
// MultiKernelBench: index/scatter.
#include "belay/kernel.h"
using namespace belay;

template <class T, class I, i64 C, i64 K, i64 R = 1>
[[belay::kernel]] void scatter(In<T, dyn, C> x, In<I, dyn, K> ids,
                               In<T, dyn, K> updates, Out<T, dyn, C> y) {
  expects(x.rows() == y.rows() && ids.rows() == y.rows());
  expects(updates.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto result = cast<float>(load(x, w));
    auto where = cast<i32>(load(ids, w.row(), span<K>(0, K)));
    auto what = cast<float>(load(updates, w.row(), span<K>(0, K)));
    for (i64 k = 0; k < K; ++k) {
      auto at = column<i32>(w.row(), i32(k));
      auto hit = col_index<i32>(w) == gather<Oob::clamp>(where, at);
      auto value = zeros<float>(w) + gather<Oob::clamp>(what, at);
      result = select(hit, value, result);
    }
    store(w, cast<T>(result));
  }
}
