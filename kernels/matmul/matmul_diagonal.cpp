// The product of a diagonal matrix, of which only the diagonal is there, and
// another one: every row is multiplied by a number.
// MultiKernelBench: matmul/matmul_with_diagonal_matrices.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 8, i64 C = 512>
[[belay::kernel]] void matmul_diagonal(In<T> a, In<T, dyn, dyn> b,
                                       Out<T, dyn, dyn> c) {
  expects(b.rows() == c.rows() && b.cols() == c.cols());
  expects(a.size() == c.rows());
  for (auto w : my_tiles<R, C>(c))
    store(w, cast<T>(cast<float>(load(b, w)) * cast<float>(load(a, w))));
}
