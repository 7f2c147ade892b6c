// The inner product of row i of a and row i of b, of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void dot_rows(In<T, dyn, C> a, In<T, dyn, C> b,
                                Out<float> y) {
  expects(a.rows() == y.size() && b.rows() == y.size());
  for (auto rows : my_spans<R>(y.size())) {
    auto s = cast<float>(load(a, rows, span<C>(0, C)));
    auto t = cast<float>(load(b, rows, span<C>(0, C)));
    store(y, rows, row_sum(s * t));
  }
}
