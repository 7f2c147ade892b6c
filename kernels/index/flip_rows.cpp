// Rows in the opposite order: y[r] = x[rows - 1 - r].
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void flip_rows(In<T, dyn, dyn> x, Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_tiles<1, N>(y))
    store(w, load(x, span<1>(x.rows() - 1 - w.row().begin, 1), w.col()));
}
