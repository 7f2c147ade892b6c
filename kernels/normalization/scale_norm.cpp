// Rows of C columns scaled to the length g.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void scale_norm(In<T, dyn, C> x, Out<T, dyn, C> y, float g,
                                  float eps) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    store(w, cast<T>(t * (g / max(sqrt(row_sum(t * t)), eps))));
  }
}
