// The product of two matrices of 8-bit integers, the second one stored
// transposed, as weights are. Sums are exact: 131071 products fit into 32 bits.
#include "belay/kernel.h"
using namespace belay;

template <i64 M = 128, i64 N = 256, i64 K = 256>
[[belay::kernel]] void matmul_i8(In<i8, dyn, dyn> a, In<i8, dyn, dyn> b,
                                 Out<i32, dyn, dyn> c) {
  expects(a.cols() == b.cols() && a.rows() == c.rows() && b.rows() == c.cols());
  expects(a.cols() <= 131071);
  for (auto w : my_tiles<M, N>(c)) {
    auto sum = zeros<i32>(w);
    for (auto k : tiles<K>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b.transposed(), k, w.col()));
    store(w, sum);
  }
}
