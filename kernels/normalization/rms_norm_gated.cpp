// RMS normalization times a gate: n * gamma * gate * sigmoid(gate), as Mamba 2
// has it.
#include "belay/kernel.h"
using namespace belay;

template <class T, i64 C, i64 R = 2>
[[belay::kernel]] void rms_norm_gated(In<T, dyn, C> x, In<T, dyn, C> gate,
                                      In<float, C> gamma, Out<T, dyn, C> y,
                                      float eps) {
  expects(x.rows() == y.rows() && gate.rows() == y.rows());
  for (auto w : my_rows<R>(y)) {
    auto t = cast<float>(load(x, w));
    auto z = cast<float>(load(gate, w));
    auto n = t / sqrt(row_mean(t * t) + eps) * load(gamma);
    store(w, cast<T>(n * z / (exp(-z) + 1.0f)));
  }
}
