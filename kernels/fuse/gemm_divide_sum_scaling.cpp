// Half the sum of each row of a product, scaled.
// MultiKernelBench: fuse/gemm_divide_sum_scaling.
#include "belay/ops/linear.h"
using namespace belay;

template <class T, i64 M = 32, i64 N = 128, i64 K = 128>
[[belay::kernel]] void gemm_divide_sum_scaling(In<T, dyn, dyn> x,
                                               In<T, dyn, dyn> weights,
                                               Out<float> y, float factor) {
  expects(x.cols() == weights.cols() && x.rows() == y.size());
  for (auto r : my_spans<M>(y.size())) {
    auto s = column<float>(r, 0.0f);
    for (auto c : tiles<N>(weights.rows()))
      s = s + row_sum(ops::product<K>(x, weights.transposed(), r, c) / 2.0f);
    store(y, r, s * factor);
  }
}
