// a[n][c][i] && b[c] of bytes that are 0 or 1.
// MultiKernelBench: broadcast/logic_and_broadcast.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void and_channels(In<i8, dyn, dyn, dyn> a, In<i8> b,
                                    Out<i8, dyn, dyn, dyn> y) {
  expects(a.extent(0) == y.extent(0) && a.extent(1) == y.extent(1) &&
          a.extent(2) == y.extent(2));
  expects(b.size() == y.extent(1));
  for (i64 n = 0; n < y.extent(0); ++n)
    for (auto w : my_tiles<8, 1024>(y[n]))
      store(w, cast<i8>(cast<half>(load(a[n], w)) * cast<half>(load(b, w))));
}
