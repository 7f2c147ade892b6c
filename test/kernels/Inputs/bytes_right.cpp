// Bytes, which the 310P does not transpose.
#include "belay/kernel.h"
using namespace belay;

// Bytes of which the right operand has to be transposed.
[[belay::kernel]] void bytes_right(In<i8, dyn, dyn> a, In<i8, dyn, dyn> b,
                                   Out<i32, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 48>(c)) {
    auto sum = zeros<i32>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
