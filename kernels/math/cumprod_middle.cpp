// Inclusive prefix products of x[b][m][n] over m.
#include "belay/ops/columns.h"
using namespace belay;

template <class T>
[[belay::kernel]] void cumprod_middle(In<T, dyn, dyn, dyn> x,
                                      Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  ops::scan_rows(x, y, 1.0f,
                 [](const auto &a, const auto &t) { return a * t; });
}
