// x[n][c][i] + b[c]; the last index is that of a whole plane.
// MultiKernelBench: broadcast/add_bias_four_dim_broadcast.
#include "belay/ops/broadcast.h"
using namespace belay;

template <class T>
[[belay::kernel]] void add_channels(In<T, dyn, dyn, dyn> x, In<T> b,
                                    Out<T, dyn, dyn, dyn> y) {
  expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1) &&
          x.extent(2) == y.extent(2));
  expects(b.size() == y.extent(1));
  ops::map_channels(x, b, y,
                    [](const auto &t, const auto &c) { return t + c; });
}
