// RMS normalization with weights 1 + gamma, as Gemma has them.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void rms_norm_offset(In<T, dyn, C> x, In<float, C> gamma,
                                       Out<T, dyn, C> y, float eps) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    store(w, cast<T>(t / sqrt(row_mean(t * t) + eps) * (load(gamma) + 1.0f)));
  }
}
