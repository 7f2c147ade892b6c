// A layer with an update of low rank: x w + (x a) b * scale. What is between a
// and b goes to the vector core to be rounded, and back as an operand.
#include "belay/kernel.h"
using namespace belay;

template <i64 R = 16, i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void matmul_lora(In<half, dyn, dyn> x,
                                   In<half, dyn, dyn> weights,
                                   In<half, dyn, R> a, In<half, R, dyn> b,
                                   Out<half, dyn, dyn> y, float scale) {
  expects(x.rows() == y.rows());
  expects(weights.rows() == x.cols() && weights.cols() == y.cols());
  expects(a.rows() == x.cols() && b.cols() == y.cols());
  auto rank = span<R>(0, R);
  for (auto w : my_tiles<M, N>(y)) {
    auto low = zeros<float>(w.row(), rank);
    auto sum = zeros<float>(w);
    for (auto k : tiles<K>(x.cols())) {
      auto t = load(x, w.row(), k);
      low += dot(t, load(a, k, rank));
      sum += dot(t, load(weights, k, w.col()));
    }
    auto update = dot(cast<half>(low), load(b, rank, w.col()));
    store(w, cast<half>(sum + update * scale));
  }
}
