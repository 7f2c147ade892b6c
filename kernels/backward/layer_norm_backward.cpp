// The gradient of layer normalization with respect to its input, rows of C
// columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void layer_norm_backward(In<T, dyn, C> x, In<float, C> gamma,
                                           In<T, dyn, C> g, Out<T, dyn, C> dx,
                                           float eps) {
  expects(x.rows() == dx.rows() && g.rows() == dx.rows());
  auto weights = load(gamma);
  for (auto w : my_rows<R>(dx)) {
    auto t = cast<float>(load(x, w));
    auto d = t - row_mean(t);
    auto deviation = sqrt(row_mean(d * d) + eps);
    auto n = d / deviation;
    auto h = cast<float>(load(g, w)) * weights;
    auto inner = h - row_mean(h) - n * row_mean(h * n);
    store(w, cast<T>(inner / deviation));
  }
}
