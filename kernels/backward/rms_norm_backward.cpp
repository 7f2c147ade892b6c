// The gradient of RMS normalization with respect to its input, rows of C
// columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void rms_norm_backward(In<T, dyn, C> x, In<float, C> gamma,
                                         In<T, dyn, C> g, Out<T, dyn, C> dx,
                                         float eps) {
  expects(x.rows() == dx.rows() && g.rows() == dx.rows());
  auto weights = load(gamma);
  for (auto w : my_rows<R>(dx)) {
    auto t = cast<float>(load(x, w));
    auto root = sqrt(row_mean(t * t) + eps);
    auto n = t / root;
    auto h = cast<float>(load(g, w)) * weights;
    store(w, cast<T>((h - n * row_mean(h * n)) / root));
  }
}
