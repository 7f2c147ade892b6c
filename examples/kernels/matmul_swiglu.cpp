// A gated layer: silu(x gate) * (x up). Both products take the same tile of x,
// and what the vector core makes of them is stored at once.
#include "belay/kernel.h"
using namespace belay;

template <i64 M = 64, i64 N = 128, i64 K = 128>
[[belay::kernel]] void
matmul_swiglu(In<half, dyn, dyn> x, In<half, dyn, dyn> gate,
              In<half, dyn, dyn> up, Out<half, dyn, dyn> y) {
  expects(x.rows() == y.rows());
  expects(gate.rows() == x.cols() && gate.cols() == y.cols());
  expects(up.rows() == x.cols() && up.cols() == y.cols());
  for (auto w : my_tiles<M, N>(y)) {
    auto g = zeros<float>(w), u = zeros<float>(w);
    for (auto k : tiles<K>(x.cols())) {
      auto t = load(x, w.row(), k);
      g += dot(t, load(gate, k, w.col()));
      u += dot(t, load(up, k, w.col()));
    }
    store(w, cast<half>(g / (1.0f + exp(-g)) * u));
  }
}
