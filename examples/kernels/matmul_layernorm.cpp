// A linear layer whose rows are normalized: one tile has whole rows.
#include "belay/kernel.h"
using namespace belay;

template <i64 C, i64 M = 32, i64 K = 128>
[[belay::kernel]] void
matmul_layernorm(In<half, dyn, dyn> a, In<half, dyn, C> b, In<float, C> gamma,
                 In<float, C> beta, Out<half, dyn, C> y, float epsilon) {
  expects(a.cols() == b.rows() && a.rows() == y.rows());
  auto scale = load(gamma), shift = load(beta);
  for (auto w : my_rows<M>(y)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    auto centred = sum - row_mean(sum);
    auto variance = row_mean(centred * centred);
    store(w, cast<half>(centred / sqrt(variance + epsilon) * scale + shift));
  }
}
