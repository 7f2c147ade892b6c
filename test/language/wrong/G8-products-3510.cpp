// G8: the memories of another cube core, and what it has no instructions for.
// RUN: %python %S/../Inputs/check-wrong.py %s --emit ascendc --soc Ascend950PR_9599
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void large_sum(In<half, dyn, dyn> a, In<half, dyn, 512> b, Out<float, dyn, 512> c) {
  expects(a.cols() == b.rows() && a.rows() == c.rows());
  for (auto w : my_rows<256>(c)) {
    //= for (auto w : my_rows<128>(c)) {
    auto sum = zeros<float>(w);
    for (auto k : tiles<32>(a.cols())) // local-capacity: sums of 256 x 512 need 524288 bytes of L0C, and 262144 are there
      sum += dot(load(a, w.row(), k), load(b, k, w.col()));
    store(w, sum);
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
[[belay::kernel]] void large_epilogue(In<half, dyn, 64> a, In<half, 64, 256> b, Out<half, dyn, 256> c) { // local-capacity: bytes of the unified buffer
  expects(a.rows() == c.rows());
  for (auto w : my_rows<128>(c)) {
    //= for (auto w : my_rows<16>(c)) {
    auto sum = dot(load(a, w.row(), span<64>(0, 64)), load(b));
    store(w, cast<half>(sum * sigmoid(sum)));
  }
}
