// Two layers of a network in one kernel: what is between them never leaves the
// cores. For each part of the hidden layer, the cube core multiplies, the
// vector core applies bias and gelu, and the cube core adds the product with
// the second layer to its sums.
#include "belay/kernel.h"
using namespace belay;

template <i64 D, i64 M = 64, i64 H = 64, i64 K = 128>
[[belay::kernel]] void mlp(In<half, dyn, dyn> x, In<half, dyn, dyn> w1,
                           In<float> b1, In<half, dyn, D> w2,
                           Out<half, dyn, D> y) {
  expects(x.cols() == w1.rows() && w1.cols() == w2.rows() &&
          x.rows() == y.rows());
  expects(b1.size() == w1.cols());
  for (auto w : my_rows<M>(y)) {
    auto out = zeros<float>(w);
    for (auto h : tiles<H>(w1.cols())) {
      auto sum = zeros<float>(w.row(), h);
      for (auto k : tiles<K>(x.cols()))
        sum += dot(load(x, w.row(), k), load(w1, k, h));
      auto t = sum + load(b1, h);
      auto gelu = t * 0.5f * (erf(t * 0.70710678f) + 1.0f);
      out += dot(cast<half>(gelu), load(w2, h, w.col()));
    }
    store(w, cast<half>(out));
  }
}
