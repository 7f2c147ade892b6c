// Rows of C columns as a direction times a length: g[r] * x / |x|.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void weight_norm(In<T, dyn, C> x, In<float> g,
                                   Out<T, dyn, C> y) {
  expects(x.rows() == y.rows() && g.size() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    store(w, cast<T>(t * (load(g, w) / sqrt(row_sum(t * t)))));
  }
}
