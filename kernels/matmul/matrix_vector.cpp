// The product of a matrix and a vector, on the vector core: R rows at a time
// are multiplied by the same part of the vector, and added up lane by lane.
// MultiKernelBench: matmul/matrix_vector_multiplication.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 R = 4, i64 N = 2048>
[[belay::kernel]] void matrix_vector(In<T, dyn, dyn> a, In<T> x, Out<T> y) {
  expects(a.rows() == y.size() && a.cols() == x.size());
  for (auto r : my_spans<R>(y.size())) {
    auto lanes = zeros<R, N, float>();
    for (auto c : tiles<N>(x.size()))
      lanes = lanes + cast<float>(load(a, r, c, T(0.0f))) *
                          cast<float>(load(x, c, T(0.0f)));
    store(y, r, cast<T>(row_sum(lanes)));
  }
}
