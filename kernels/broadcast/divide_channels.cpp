// x[n][c][i] / d[c]; the last index is that of a whole plane.
// MultiKernelBench: broadcast/division_broadcast.
#include "belay/ops/broadcast.h"
using namespace belay;

template <class T>
[[belay::kernel]] void divide_channels(In<T, dyn, dyn, dyn> x, In<T> d,
                                       Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  expects(d.size() == y.extent(1));
  ops::map_channels(x, d, y,
                    [](const auto &t, const auto &c) { return t / c; });
}
