// c[r] ? a[n][r][i] : b[n][r][i], for a byte that is 0 or not.
// MultiKernelBench: broadcast/where_broadcast.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void where_channels(In<i8> c, In<T, dyn, dyn, dyn> a,
                                      In<T, dyn, dyn, dyn> b,
                                      Out<T, dyn, dyn, dyn> y) {
  expects(a.extent(0) == y.extent(0) && a.extent(1) == y.extent(1) &&
          a.extent(2) == y.extent(2));
  expects(b.extent(0) == y.extent(0) && b.extent(1) == y.extent(1) &&
          b.extent(2) == y.extent(2));
  expects(c.size() == y.extent(1));
  for (i64 n = 0; n < y.extent(0); ++n)
    for (auto w : my_tiles<16, 256>(y[n])) {
      auto t = load(a[n], w);
      auto chosen = cast<half>(load(c, w)) + full_like(t, half(0)) != half(0);
      store(w, select(chosen, t, load(b[n], w)));
    }
}
