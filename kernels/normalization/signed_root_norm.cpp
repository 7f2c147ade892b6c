// Signed roots of rows of C columns, scaled to unit length, as bilinear pooling
// has them.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void signed_root_norm(In<T, dyn, C> x, Out<T, dyn, C> y,
                                        float eps) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    auto m = sqrt(abs(t));
    auto s = select(t < 0.0f, -m, m);
    store(w, cast<T>(s / max(sqrt(row_sum(s * s)), eps)));
  }
}
