// The gradient of x / |x| of rows of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void l2_normalize_backward(In<T, dyn, C> x, In<T, dyn, C> g,
                                             Out<T, dyn, C> dx, float eps) {
  expects(x.rows() == dx.rows() && g.rows() == dx.rows());
  for (auto w : my_rows<R>(dx)) {
    auto t = cast<float>(load(x, w)), h = cast<float>(load(g, w));
    auto length = max(sqrt(row_sum(t * t)), eps);
    auto n = t / length;
    store(w, cast<T>((h - n * row_sum(h * n)) / length));
  }
}
