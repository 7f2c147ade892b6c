// Columns of a matrix by index; an index that does not exist gives zeros. A
// block of 8 columns is loaded for each, which is what a copy moves at least.
// MultiKernelBench: index/index_select.
#include "belay/ops/windows.h"
using namespace belay;

template <class T, class I, i64 R = 128, i64 C = 16>
[[belay::kernel]] void index_select(In<T, dyn, dyn> x, In<I> ids,
                                    Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && ids.size() == y.cols() && x.cols() >= 1);
  for (auto rows : my_spans<R>(y.rows()))
    for (auto c : tiles<C>(y.cols())) {
      auto out = ops::from_columns<C>(span<R>(0, R), [&](i64 k) {
        i64 j = min(c.begin + k, y.cols() - 1);
        i64 id = i64(sum(cast<i32>(load(ids, span<1>(j, 1)))));
        i64 first = max(min(id / 8 * 8, x.cols() - 8), 0);
        auto block = span<8>(first, min(x.cols(), 8));
        auto t = cast<float>(load(x, rows, block, T(0)));
        return row_sum(ops::only(t, ops::column_numbers(t), id - first));
      });
      store(y, rows, c, cast<T>(out));
    }
}
