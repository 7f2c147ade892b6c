// Softmax of scaled scores with one more score that takes its share and is left
// out: a sink for attention that has nothing to look at. Rows of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void softmax_sink(In<T, dyn, C> x, Out<T, dyn, C> y,
                                    float scale, float sink) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w)) * scale;
    auto top = max(row_max(t), sink);
    auto e = exp(t - top);
    store(w, cast<T>(e / (row_sum(e) + exp(sink - top))));
  }
}
