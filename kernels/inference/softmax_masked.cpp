// Softmax of scaled scores with a mask that is added, rows of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void softmax_masked(In<T, dyn, C> x, In<T, dyn, C> mask,
                                      Out<T, dyn, C> y, float scale) {
  expects(x.rows() == y.rows() && mask.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w)) * scale + cast<float>(load(mask, w));
    auto e = exp(t - row_max(t));
    store(w, cast<T>(e / row_sum(e)));
  }
}
