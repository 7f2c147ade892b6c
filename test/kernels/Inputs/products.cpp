// Products that no example has.
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
// Added to what is there.
[[belay::kernel]] void added(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                             InOut<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 48>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store_add(w, sum);
  }
}
// A tile of the cube's own size: steps of k of which two fit, full and short
// ones.
[[belay::kernel]] void large(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                             Out<half, dyn, dyn> c) {
  expects(a.cols() == b.cols() && a.rows() == c.rows() && b.rows() == c.cols());
  for (auto w : my_tiles<128, 256>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<256>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b.transposed(), k, w.col()));
    store(w, cast<half>(sum));
  }
}
