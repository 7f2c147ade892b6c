// A linear layer with its activation: the product on the cube core, bias and
// gelu on the vector core next to it. Sums go from one to the other through a
// workspace; flags between the two are placed and proven by the compiler.
#include "belay/kernel.h"
using namespace belay;

template <i64 M = 64, i64 N = 128, i64 K = 256>
[[belay::kernel]] void matmul_gelu(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                                   In<float> bias, Out<half, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  expects(bias.size() == c.cols());
  for (auto w : my_tiles<M, N>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    auto t = sum + load(bias, w.col());
    store(w, cast<half>(t * 0.5f * (erf(t * 0.70710678f) + 1.0f)));
  }
}
