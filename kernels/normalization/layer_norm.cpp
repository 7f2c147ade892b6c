// Layer normalization of rows: of any length, and of rows that fit on chip.
// MultiKernelBench: normalization/layer_norm.
#include "belay/ops/moments.h"
#include "belay/ops/normalize.h"
using namespace belay;

template <class T, i64 N = 4096>
[[belay::kernel]] void layer_norm(In<T, dyn, dyn> x, In<float> gamma,
                                  In<float> beta, Out<T, dyn, dyn> y,
                                  float eps) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  expects(gamma.size() == y.cols() && beta.size() == y.cols());
  for (i64 r = core_index(); r < x.rows(); r += core_count()) {
    float count = 0, mean = 0, squares = 0;
    ops::add_moments<N>(x[r], count, mean, squares);
    float scale = 1.0f / ops::sqrt_of(squares / count + eps);
    for (auto c : tiles<N>(x.cols())) {
      auto t = (cast<float>(load(x[r], c)) - mean) * scale;
      store(y[r], c, cast<T>(t * load(gamma, c) + load(beta, c)));
    }
  }
}

template <class T, i64 C, i64 R = 4>
[[belay::kernel]] void layer_norm_rows(In<T, dyn, C> x, In<float, C> gamma,
                                       In<float, C> beta, Out<T, dyn, C> y,
                                       float eps) {
  expects(x.rows() == y.rows());
  auto g = load(gamma), b = load(beta);
  for (auto w : my_rows<R>(y))
    store(w, cast<T>(ops::layer_norm(cast<float>(load(x, w)), g, b, eps)));
}
