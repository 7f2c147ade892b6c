// max(a[i][c], b[j]) for all i, j and c.
// MultiKernelBench: broadcast/max_broadcast.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void max_outer(In<T, dyn, dyn> a, In<T> b,
                                 Out<T, dyn, dyn, dyn> y) {
  expects(a.rows() == y.extent(0) && b.size() == y.extent(1));
  expects(a.cols() == y.extent(2));
  for (i64 i = 0; i < y.extent(0); ++i)
    for (auto w : my_tiles<8, 1024>(y[i]))
      store(w, max(load(a[i], w.col()), load(b, w)));
}
