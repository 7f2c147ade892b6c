// x + residual, and its rows divided by their root mean square, scaled by
// column.
#include "belay/ops/normalize.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void add_rms_norm(In<T, dyn, C> x, InOut<T, dyn, C> residual,
                                    In<float, C> gamma, Out<T, dyn, C> y,
                                    float eps) {
  expects(x.rows() == y.rows() && residual.rows() == y.rows());
  auto g = load(gamma);
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w)) + cast<float>(load(residual, w));
    store(residual, w.row(), w.col(), cast<T>(t));
    store(w, cast<T>(ops::rms_norm(t, g, eps)));
  }
}
