// Adds the product of two matrices to c, for sums that are long beside few
// tiles: k is cut in S parts, and cores that have different parts of a tile add
// to it in an order of their own, so the last bits of c may differ from launch
// to launch.
// MultiKernelBench: matmul/matmul_with_large_k_dimension.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 S = 4, i64 M = 128, i64 N = 256, i64 K = 128>
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
