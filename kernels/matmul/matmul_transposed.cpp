// Products of matrices of which one or both are stored transposed. The cube
// transposes on the way to its own memories.
// MultiKernelBench: matmul/matmul_with_transposed_a,
// matmul/matmul_with_transposed_b, matmul/matmul_with_transposed_both.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 128, i64 N = 256, i64 K = 128>
[[belay::kernel]] void transposed_a(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                    Out<T, dyn, dyn> c) {
  expects(a.rows() == b.rows() && a.cols() == c.rows() && b.cols() == c.cols());
  ops::matmul<M, N, K>(a.transposed(), b, c);
}

template <class T, i64 M = 128, i64 N = 256, i64 K = 128>
[[belay::kernel]] void transposed_b(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                    Out<T, dyn, dyn> c) {
  expects(a.cols() == b.cols() && a.rows() == c.rows() && b.rows() == c.cols());
  ops::matmul<M, N, K>(a, b.transposed(), c);
}

template <class T, i64 M = 128, i64 N = 256, i64 K = 128>
[[belay::kernel]] void transposed_both(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                       Out<T, dyn, dyn> c) {
  expects(a.rows() == b.cols() && a.cols() == c.rows() && b.rows() == c.cols());
  ops::matmul<M, N, K>(a.transposed(), b.transposed(), c);
}
