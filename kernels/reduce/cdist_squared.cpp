// y[i][j] = squared distance of row i of a and row j of b, of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 8>
[[belay::kernel]] void cdist_squared(In<T, dyn, C> a, In<T, dyn, C> b,
                                     Out<float, dyn, dyn> y) {
  expects(a.rows() == y.rows() && b.rows() == y.cols());
  for (i64 i = core_index(); i < y.rows(); i += core_count()) {
    auto p = cast<float>(load(a[i]));
    for (auto rows : tiles<R>(b.rows())) {
      auto d = cast<float>(load(b, rows, span<C>(0, C))) - p;
      store(y[i], rows, row_sum(d * d));
    }
  }
}
