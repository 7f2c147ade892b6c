// G8: sums and operands fit the memories of the cube core; what does not become
// instructions of it is refused at its line.
// RUN: %python %S/../Inputs/check-wrong.py %s --emit ascendc
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void large_sum(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<256, 256>(c)) {
    //= for (auto w : my_tiles<128, 256>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<64>(a.cols())) // local-capacity: sums of 256 x 256 need 262144 bytes of L0C, and 131072 are there
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void long_operand(In<half, dyn, dyn> a, In<half, dyn, dyn> b, Out<float, dyn, dyn> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols());
  for (auto w : my_tiles<16, 2049>(c)) {
    //= for (auto w : my_tiles<16, 2048>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<16>(a.cols())) // local-capacity: sums of 16 x 2064 need 132096 bytes of L0C
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
[[belay::kernel]] void bytes_on_the_left(In<i8, dyn, dyn> a, In<i8, dyn, dyn> b, Out<i32, dyn, dyn> c) {
  expects(a.rows() == b.rows() && a.cols() == c.rows() && b.cols() == c.cols() && b.rows() <= 100000);
  //= expects(a.cols() == b.rows() && a.rows() == c.rows() && b.cols() == c.cols() && b.rows() <= 100000);
  for (auto w : my_tiles<64, 64>(c)) {
    auto sum = zeros<i32>(w);
    for (auto k : tiles<64>(b.rows()))
      sum += dot(load(a.transposed(), w.row(), k), load(b, k, w.col())); // not-emitted: transposes for the right operand only
    //= sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
  }
}
