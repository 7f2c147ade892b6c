// G2, G7, G8: transposed operands, planes, and what several cores add up.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void not_transposed(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.cols() == b.cols() && a.rows() == c.rows() && b.rows() == c.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // guarded gm-out-of-bounds: b.rows()
    //= sum += dot(load(a, w.row(), k), load(b.transposed(), k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void transposed_extents(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  //= expects(a.cols() == b.cols() && a.rows() == c.rows() && b.rows() == c.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b.transposed(), k, w.col())); // guarded gm-out-of-bounds: b.transposed().rows()
    store(w, sum);
  }
}
[[belay::kernel]] void transposed_spans(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.rows() == b.rows() && a.cols() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<32>(a.rows()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // guarded gm-out-of-bounds: a.rows()
    //= sum += dot(load(a.transposed(), w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void planes_of_operand(In<half, dyn, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn, dyn> c) {
  expects(a.extent(2) == b.rows() && a.extent(1) == c.extent(1) && b.cols() == c.extent(2));
  //+ expects(a.extent(0) == c.extent(0));
  for (auto w : my_tiles<32, 32>(c)) {
    auto x = a[w.plane()]; // guarded gm-out-of-bounds: a.extent(0)
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(x.cols()))
      sum += dot(load(x, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void another_plane(In<half, dyn, 64, 64> a, Out<half, dyn, 64, 64> c) {
  expects(a.extent(0) == c.extent(0));
  for (auto w : my_tiles<32, 32>(c)) {
    i64 next = w.plane() + 1;
    //= i64 next = w.plane();
    store(w, load(a[next], w)); // guarded gm-out-of-bounds: a.extent(0)
  }
}
[[belay::kernel]] void plane_of_everybody(In<half, dyn, 64, 64> a, Out<half, dyn, 64, 64> c) {
  expects(a.extent(0) == c.extent(0) && c.extent(0) >= 1);
  for (auto w : my_tiles<32, 32>(c))
    store(c[0], w.row(), w.col(), load(a[w.plane()], w)); // race-between-cores: two cores may touch the same element of 'c'
  //= store(c[w.plane()], w.row(), w.col(), load(a[w.plane()], w));
}
[[belay::kernel]] void adds_and_stores(In<float, dyn, 32> x, InOut<float, dyn, 32> c) {
  expects(x.rows() == c.rows());
  for (auto s : tiles<16>(c.rows())) {
    store_add(c, s, span<32>(0, 32), load(x, s, span<32>(0, 32)));
    store(c, s, span<32>(0, 32), load(x, s, span<32>(0, 32))); // race-between-cores: two cores may touch the same element of 'c'
    //= store_add(c, s, span<32>(0, 32), load(x, s, span<32>(0, 32)));
  }
}
