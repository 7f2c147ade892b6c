// A product of bytes with a scale for each row of the left and each column of
// the right operand, as quantised layers have it. Sums are exact.
#include "belay/kernel.h"
using namespace belay;

template <i64 M = 64, i64 N = 128, i64 K = 512>
[[belay::kernel]] void matmul_scaled(In<i8, dyn, dyn> a, In<i8, dyn, dyn> b,
                                     In<float, dyn, 1> token_scale,
                                     In<float> scale, Out<half, dyn, dyn> c) {
  expects(a.cols() == b.cols() && a.rows() == c.rows() && b.rows() == c.cols());
  expects(token_scale.rows() == c.rows() && scale.size() == c.cols());
  for (auto w : my_tiles<M, N>(c)) {
    auto sum = zeros<i32>(w);
    for (auto k : tiles<K>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b.transposed(), k, w.col()));
    auto scales = load(token_scale, w.row(), span<1>(0, 1));
    store(w, cast<half>(cast<float>(sum) * load(scale, w.col()) * scales));
  }
}
