// The product of two matrices, on the cube core. Sums of a tile stay in L0C
// until all of k has been added up; the fixpipe rounds them to T.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 M = 128, i64 N = 256, i64 K = 256>
[[belay::kernel]] void matmul(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                              Out<T, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<M, N>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, cast<T>(sum));
  }
}
