// Products of many pairs of matrices. Planes and tiles are distributed among
// the cores together.
// MultiKernelBench: matmul/batched_matrix_multiplication.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 128, i64 N = 256, i64 K = 128>
[[belay::kernel]] void matmul_batched(In<T, dyn, dyn, dyn> a,
                                      In<T, dyn, dyn, dyn> b,
                                      Out<T, dyn, dyn, dyn> c) {
  expects(a.extent(0) == c.extent(0) && b.extent(0) == c.extent(0));
  expects(a.extent(1) == c.extent(1) && b.extent(2) == c.extent(2));
  expects(a.extent(2) == b.extent(1));
  for (auto w : my_tiles<M, N>(c))
    store(w, cast<T>(ops::product<K>(a[w.plane()], b[w.plane()], w.row(),
                                     w.col())));
}
