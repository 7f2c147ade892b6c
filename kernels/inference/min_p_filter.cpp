// Probabilities below a share of the largest of their row become 0, the others
// are scaled to sum 1. Rows of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void min_p_filter(In<T, dyn, C> x, Out<T, dyn, C> y,
                                    float share) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    auto kept = select(t >= row_max(t) * share, t, 0.0f);
    store(w, cast<T>(kept / row_sum(kept)));
  }
}
