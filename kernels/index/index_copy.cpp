// A table in which rows that indices name are replaced; of several that name
// one row, the last wins. Indices that do not exist are ignored.
// MultiKernelBench: index/index_copy, index/inplace_update.
#include "belay/kernel.h"
using namespace belay;

template <class T, class I, i64 N = 2048, i64 C = 4096>
[[belay::kernel]] void index_copy(In<T, dyn, dyn> table, In<I> ids,
                                  In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(y.rows() == table.rows() && y.cols() == table.cols());
  expects(x.rows() == ids.size() && x.cols() == y.cols());
  expects(y.rows() < 1 << 30 && ids.size() < 1 << 24);
  for (i64 r = core_index(); r < y.rows(); r += core_count()) {
    auto last = full<1, N, float>(-1.0f);
    for (auto s : tiles<N>(ids.size())) {
      auto place = iota<N, i32>(i32(s.begin));
      auto hit =
          (cast<i32>(load(ids, s, I(0))) == i32(r)) & (place < i32(ids.size()));
      last = max(last, select(hit, cast<float>(place), -1.0f));
    }
    i64 from = i64(sum(cast<i32>(full<1, 1, float>(maximum(last)))));
    for (auto c : tiles<C>(y.cols()))
      if (from >= 0 && from < x.rows())
        store(y[r], c, load(x[from], c));
      else
        store(y[r], c, load(table[r], c));
  }
}
