// a[i][c] * b[j][c] for all pairs of rows.
// MultiKernelBench: broadcast/elmentwise_mul_broadcast.
#include "belay/kernel.h"
using namespace belay;

template <class T>
[[belay::kernel]] void multiply_outer(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                      Out<T, dyn, dyn, dyn> y) {
  expects(a.rows() == y.extent(0) && b.rows() == y.extent(1));
  expects(a.cols() == y.extent(2) && b.cols() == y.extent(2));
  for (i64 i = 0; i < y.extent(0); ++i)
    for (auto w : my_tiles<8, 1024>(y[i]))
      store(w, load(b, w) * load(a[i], w.col()));
}
