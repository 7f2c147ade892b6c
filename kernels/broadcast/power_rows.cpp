// x[r][c] to the power of e[c].
// MultiKernelBench: broadcast/power_broadcast.
#include "belay/ops/broadcast.h"
using namespace belay;

template <class T>
[[belay::kernel]] void power_rows(In<T, dyn, dyn> x, In<T> e,
                                  Out<T, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(e.size() == y.cols());
  ops::map_rows(x, e, y,
                [](const auto &t, const auto &r) { return pow(t, r); });
}
