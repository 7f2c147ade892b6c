// Layer normalization with a scale and a shift for each row, as diffusion
// transformers have: n * (1 + scale) + shift.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void ada_layer_norm(In<T, dyn, C> x, In<T, dyn, C> scale,
                                      In<T, dyn, C> shift, Out<T, dyn, C> y,
                                      float eps) {
  expects(x.rows() == y.rows() && scale.rows() == y.rows() &&
          shift.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    auto d = t - row_mean(t);
    auto n = d / sqrt(row_mean(d * d) + eps);
    store(w, cast<T>(n * (cast<float>(load(scale, w)) + 1.0f) +
                     cast<float>(load(shift, w))));
  }
}
