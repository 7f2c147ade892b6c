// residual + x * gamma[c], in place: layer scale of vision transformers.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void residual_scale(InOut<T, dyn, C> residual,
                                      In<T, dyn, C> x, In<float, C> gamma) {
  expects(x.rows() == residual.rows());
  auto weights = load(gamma);
  for (auto w : my_rows<R>(residual))
    store(w, cast<T>(cast<float>(load(residual, w)) +
                     cast<float>(load(x, w)) * weights));
}
