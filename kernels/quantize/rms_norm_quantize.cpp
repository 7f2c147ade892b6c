// RMS normalization of rows, as i8 with a scale for each row.
#include "belay/ops/normalize.h"
using namespace belay;

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void rms_norm_quantize(In<T, dyn, C> x, In<float, C> gamma,
                                         Out<i8, dyn, C> q, Out<float> scales,
                                         float eps) {
  expects(x.rows() == q.rows() && scales.size() == q.rows());
  auto g = load(gamma);
  for (auto w : my_rows<R>(q)) {
    auto t = ops::rms_norm(cast<float>(load(x, w)), g, eps);
    auto scale = max(row_max(abs(t)) * (1.0f / 127), 1e-30f);
    store(scales, w.row(), scale);
    store(w, cast<i8>(cast<half>(round(t / scale))));
  }
}
