// Rows of C columns scaled down such that none is longer than a bound.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void max_norm(In<T, dyn, C> x, Out<T, dyn, C> y,
                                float bound) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    auto length = sqrt(row_sum(t * t));
    store(w, cast<T>(t * (bound / max(length, bound))));
  }
}
