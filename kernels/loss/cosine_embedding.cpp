// The mean over rows of 1 - cos(a, b) where the label is 1, of max(0, cos(a, b)
// - margin) where it is -1. Rows of C columns.
#include "belay/ops/sums.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void cosine_embedding(In<T, dyn, C> a, In<T, dyn, C> b,
                                        In<float> label, PerCore<float> part,
                                        Out<float, 1> loss, float margin) {
  expects(a.rows() == b.rows() && label.size() == a.rows());
  expects(a.rows() >= 1 && core_count() <= max_cores);
  float mine = 0.0f;
  for (auto rows : my_spans<R>(a.rows())) {
    auto s = cast<float>(load(a, rows, span<C>(0, C)));
    auto t = cast<float>(load(b, rows, span<C>(0, C)));
    auto lengths = sqrt((row_sum(s * s) + 1e-12f) * (row_sum(t * t) + 1e-12f));
    auto cosine = row_sum(s * t) / lengths;
    mine += sum(select(load_column(label, rows) > 0.0f, 1.0f - cosine,
                       max(cosine - margin, 0.0f)));
  }
  ops::store_sum(loss, part, mine, 1.0f / float(a.rows()));
}
