// G2, G7, G8: windows of products, extents that meet in them, and sums.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void inner_extents(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.rows() == c.rows() && b.cols() == c.cols());
  //= expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // guarded gm-out-of-bounds: b.rows()
    store(w, sum);
  }
}
[[belay::kernel]] void rows_of_the_result(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && b.cols() == c.cols());
  //= expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // guarded gm-out-of-bounds: a.rows()
    store(w, sum);
  }
}
[[belay::kernel]] void other_steps(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  expects(a.cols() >= 64);
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, span<64>(0, 64), w.col())); // guarded tile-mismatch: as many columns on the left as rows on the right
    //= sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void whole_sum(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<32, 32, float>();
    //= auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // guarded tile-mismatch: equal
    store(w, sum);
  }
}
[[belay::kernel]] void part_of_k(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c, i64 from, i64 to) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  expects(from >= 0 && to <= 4096);
  //= expects(from >= 0 && to <= a.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(from, to))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // guarded gm-out-of-bounds: a.cols()
    store(w, sum);
  }
}
[[belay::kernel]] void part_before_k(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c, i64 from) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  expects(from >= -64 && from <= a.cols());
  //= expects(from >= 0 && from <= a.cols());
  for (auto w : my_tiles<32, 32>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(from, a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // guarded gm-out-of-bounds: >= 0
    store(w, sum);
  }
}
[[belay::kernel]] void everybody_stores(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto rows : tiles<16>(c.rows()))
    //= for (auto rows : my_spans<16>(c.rows()))
    store(c, rows, span<32>(0, 32), dot(load(a, rows, span<64>(0, 64)), load(b))); // race-between-cores: two cores may touch the same element of 'c'
}
