// Rows of C columns moved and scaled to lie between 0 and 1.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void min_max_norm(In<T, dyn, C> x, Out<T, dyn, C> y,
                                    float eps) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    auto low = row_min(t);
    store(w, cast<T>((t - low) / max(row_max(t) - low, eps)));
  }
}
