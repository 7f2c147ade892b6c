// x[r][c] * b[c].
#include "belay/ops/broadcast.h"
using namespace belay;

template <class T>
[[belay::kernel]] void multiply_rows(In<T, dyn, dyn> x, In<T> b,
                                     Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(b.size() == y.cols());
  ops::map_rows(x, b, y, [](const auto &t, const auto &r) { return t * r; });
}
