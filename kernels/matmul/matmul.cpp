// The product of two matrices; of tensors with more dimensions, whose first
// ones are merged to rows.
// MultiKernelBench: matmul/standard_matrix_multiplication,
// matmul/square_matrix_multiplication, matmul/matmul_with_irregular_shapes,
// matmul/matmul_with_small_k_dimension,
// matmul/tall_skinny_matrix_multiplication,
// matmul/matmul_for_symmetric_matrices,
// matmul/three_dim_tensor_matrix_multiplication,
// matmul/four_dim_tensor_matrix_multiplication.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 128, i64 N = 256, i64 K = 128>
[[belay::kernel]] void matmul(In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                              Out<T, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  ops::matmul<M, N, K>(a, b, c);
}
