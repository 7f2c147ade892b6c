// Rows divided by their root mean square, then scaled by column: of any length,
// and of rows that fit on chip.
#include "belay/ops/normalize.h"
#include "belay/ops/numbers.h"
#include "belay/ops/rows.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void rms_norm(In<T, dyn, dyn> x, In<float> gamma,
                                Out<T, dyn, dyn> y, float eps) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(gamma.size() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float squares = ops::sum_over<N>(x[r], [](const auto &t) { return t * t; });
    float scale = 1.0f / ops::sqrt_of(squares / float(x.cols()) + eps);
    for (auto c : tiles<N>(x.cols())) {
      auto t = cast<float>(load(x[r], c)) * scale;
      store(y[r], c, cast<T>(t * load(gamma, c)));
    }
  }
}

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void rms_norm_rows(In<T, dyn, C> x, In<float, C> gamma,
                                     Out<T, dyn, C> y, float eps) {
  expects(x.rows() == y.rows());
  auto g = load(gamma);
  for (auto w : my_rows<R>(y))
    store(w, cast<T>(ops::rms_norm(cast<float>(load(x, w)), g, eps)));
}
