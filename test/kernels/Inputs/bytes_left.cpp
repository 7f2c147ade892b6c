// Bytes of which both operands have to be transposed, which 2201 cannot.
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void bytes_left(In<i8, dyn, dyn> a, In<i8, dyn, dyn> b,
                                  Out<i32, dyn, dyn> c) {
  expects(a.rows() == b.rows() && a.cols() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 48>(c)) {
    auto sum = zeros<i32>(w);
    for (auto k : tiles<64>(a.rows()))
      sum += dot(load(a.transposed(), w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
