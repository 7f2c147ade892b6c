// Rows with a value before and after them: y[r][i] = x[r][i - before].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 2048>
[[belay::kernel]] void pad_columns(In<T, dyn, dyn> x, Out<T, dyn, dyn> y,
                                   i64 before, float value) {
  expects(x.rows() == y.rows() && before >= 0 && x.cols() + before <= y.cols());
  for (auto w : my_tiles<1, N>(y)) {
    auto from = span<N>(w.col().begin - before, w.col().size);
    store(w, load_or(x, w.row(), from, T(value)));
  }
}
