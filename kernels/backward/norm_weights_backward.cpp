// The gradients of layer normalization with respect to its weights and its
// shift: sums over all rows of what is normalised, of C columns.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C>
[[belay::kernel]] void norm_weights_backward(In<T, dyn, C> x, In<T, dyn, C> g,
                                             InOut<float, C> dgamma,
                                             InOut<float, C> dbeta, float eps) {
  expects(x.rows() == g.rows());
  auto weights = zeros<1, C, float>(), shifts = zeros<1, C, float>();
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    auto t = cast<float>(load(x[r])), h = cast<float>(load(g[r]));
    auto d = t - row_mean(t);
    weights = weights + h * (d / sqrt(row_mean(d * d) + eps));
    shifts = shifts + h;
  }
  store_add(dgamma, span<C>(0, C), weights);
  store_add(dbeta, span<C>(0, C), shifts);
}
