// The gradient of normalising planes x[n][i] of C elements, without weights.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void instance_norm_backward(In<T, dyn, C> x, In<T, dyn, C> g,
                                              Out<T, dyn, C> dx, float eps) {
  expects(x.rows() == dx.rows() && g.rows() == dx.rows());
  for (auto w : my_rows<R>(dx)) {
    auto t = cast<float>(load(x, w)), h = cast<float>(load(g, w));
    auto d = t - row_mean(t);
    auto deviation = sqrt(row_mean(d * d) + eps);
    auto n = d / deviation;
    store(w, cast<T>((h - row_mean(h) - n * row_mean(h * n)) / deviation));
  }
}
