// Products of two lower or two upper triangular matrices. Steps of k in which
// one of them has zeros only are left out, and so are tiles of the result.
// MultiKernelBench: matmul/matmul_for_lower_triangular_matrices,
// matmul/matmul_for_upper_triangular_matrices.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 M = 64, i64 N = 128, i64 K = 64>
[[belay::kernel]] void lower_triangular(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                        Out<T, dyn, dyn> c) {
  i64 n = c.rows();
  expects(c.cols() == n && a.rows() == n && a.cols() == n);
  expects(b.rows() == n && b.cols() == n && n <= 1 << 30);
  for (auto w : my_tiles<M, N>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(w.col().begin, w.row().begin + w.row().size))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    auto below = row_index<i32>(w) >= col_index<i32>(w);
    store(w, cast<T>(select(below, sum, 0.0f)));
  }
}

template <class T, i64 M = 64, i64 N = 128, i64 K = 64>
[[belay::kernel]] void upper_triangular(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                        Out<T, dyn, dyn> c) {
  i64 n = c.rows();
  expects(c.cols() == n && a.rows() == n && a.cols() == n);
  expects(b.rows() == n && b.cols() == n && n <= 1 << 30);
  for (auto w : my_tiles<M, N>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(w.row().begin, w.col().begin + w.col().size))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    auto above = row_index<i32>(w) <= col_index<i32>(w);
    store(w, cast<T>(select(above, sum, 0.0f)));
  }
}
