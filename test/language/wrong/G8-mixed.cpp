// G8, G9: what a kernel of both cores keeps fits into their memories.
// RUN: %python %S/../Inputs/check-wrong.py %s --emit ascendc
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void large_epilogue(In<half, dyn, 64> a, In<half, 64, 256> b, Out<half, dyn, 256> c) { // local-capacity: bytes of the unified buffer
  expects(a.rows() == c.rows());
  for (auto w : my_rows<128>(c)) {
    //= for (auto w : my_rows<16>(c)) {
    auto sum = dot(load(a, w.row(), span<64>(0, 64)), load(b));
    store(w, cast<half>(sum * sigmoid(sum)));
  }
}
[[belay::kernel]] void two_large_sums(In<half, dyn, dyn> x, In<half, dyn, 256> a, In<half, dyn, 256> b, Out<half, dyn, 256> y, Out<half, dyn, 256> z) { // local-capacity: needs 262144 bytes of L0C, and 131072 are there
  expects(x.cols() == a.rows() && x.cols() == b.rows() && x.rows() == y.rows() && x.rows() == z.rows());
  for (auto w : my_rows<128>(y)) {
    //= for (auto w : my_rows<64>(y)) {
    auto up = zeros<float>(w), gate = zeros<float>(w);
    for (auto k : tiles<64>(x.cols())) {
      up += dot(load(x, w.row(), k), load(a, k, w.col()));
      gate += dot(load(x, w.row(), k), load(b, k, w.col()));
    }
    store(w, cast<half>(up));
    store(z, w.row(), w.col(), cast<half>(gate));
  }
}
[[belay::kernel]] void long_steps(In<half, dyn, dyn> a, In<half, dyn, 128> b, Out<half, dyn, 128> c) { // local-capacity: bytes of L1
  expects(a.cols() == b.rows() && a.rows() == c.rows());
  for (auto w : my_rows<128>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<2048>(a.cols()))
      //= for (auto k : tiles<256>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, cast<half>(sum));
  }
}
[[belay::kernel]] void tall_operand(In<float, dyn, dyn> a, In<float, dyn, 16> b, Out<float, dyn, 16> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows());
  for (auto w : my_rows<2048>(c)) {
    //= for (auto w : my_rows<1024>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<16>(a.cols()))
      sum += dot(load(a, w.row(), k), load(b, k, w.col())); // local-capacity: operands of 2048 rows and 16 columns do not fit into L0A and L0B
    store(w, sum);
  }
}
[[belay::kernel]] void sums_of_all_cores(In<half, dyn, 64> a, In<half, 64, 48> b, Out<float, dyn, 48> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<32>(c))
    store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b)));
  sync_cores(); // not-emitted: cores of a kernel that only cube cores run wait for each other
  //= ;
}
