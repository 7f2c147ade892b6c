// Adds the product of two matrices to what is in c. Sums are long and tiles are
// few, so k is cut in S parts of whole steps, and cores that have different
// parts of the same tile add to it one after the other, in an order of their
// own: the last bits of c may differ from launch to launch.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 S = 4, i64 M = 128, i64 N = 256, i64 K = 256>
[[belay::kernel]] void matmul_split(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                    InOut<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  i64 part = ceil_div(ceil_div(a.cols(), K), S) * K;
  for (auto w : my_tiles<M, N, S>(c)) {
    i64 from = min(w.part() * part, a.cols()), to = min(from + part, a.cols());
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(from, to))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store_add(w, sum);
  }
}
