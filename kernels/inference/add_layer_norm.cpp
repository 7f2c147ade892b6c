// Layer normalization of x + residual, which is kept.
#include "belay/ops/normalize.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void
add_layer_norm(In<T, dyn, C> x, InOut<T, dyn, C> residual, In<float, C> gamma,
               In<float, C> beta, Out<T, dyn, C> y, float eps) {
  expects(x.rows() == y.rows() && residual.rows() == y.rows());
  auto g = load(gamma), b = load(beta);
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w)) + cast<float>(load(residual, w));
    store(residual, w.row(), w.col(), cast<T>(t));
    store(w, cast<T>(ops::layer_norm(t, g, b, eps)));
  }
}
