// Products that no example has.
#include "belay/kernel.h"
using namespace belay;

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
// Tiles of one row, whose last block is no whole one.
[[belay::kernel]] void one_row(In<half, dyn, dyn> a, In<half, dyn, dyn> b,
                               Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<1, 100>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<40>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
