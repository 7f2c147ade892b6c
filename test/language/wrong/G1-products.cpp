// G1: what is multiplied has one type that has products, and extents that fit.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void other_types(In<half, dyn, 64> a, In<bfloat16, 64, 32> b, Out<float, dyn, 32> c) {
  //= [[belay::kernel]] void other_types(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b))); // compile-error: no matching function for call to 'dot'
}
[[belay::kernel]] void no_products(In<i32, dyn, 64> a, In<i32, 64, 32> b, Out<i32, dyn, 32> c) {
  //= [[belay::kernel]] void no_products(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b))); // compile-error: no matching function for call to 'dot'
}
[[belay::kernel]] void inner_capacities(In<half, dyn, 64> a, In<half, 32, 32> b, Out<float, dyn, 32> c) {
  //= [[belay::kernel]] void inner_capacities(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w.row(), span<64>(0, 64)), load(b))); // compile-error: no matching function for call to 'dot'
}
[[belay::kernel]] void sums_are_wider(In<half, dyn, 64> a, In<half, 64, 32> b, Out<half, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(c, w.row(), w.col(), dot(load(a, w.row(), span<64>(0, 64)), load(b))); // compile-error: no matching function for call to 'store'
  //= store(c, w.row(), w.col(), cast<half>(dot(load(a, w.row(), span<64>(0, 64)), load(b))));
}
[[belay::kernel]] void narrower_sum(In<half, dyn, 64> a, In<half, 64, 32> b, Out<half, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = zeros<half>(w);
    //= auto sum = zeros<float>(w);
    sum += dot(load(a, w.row(), span<64>(0, 64)), load(b)); // compile-error: no viable overloaded '+='
    store(w, sum);
    //= store(w, cast<half>(sum));
  }
}
[[belay::kernel]] void smaller_sum(In<half, dyn, 64> a, In<half, 64, 32> b, Out<float, dyn, 32> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = zeros<8, 32, float>();
    //= auto sum = zeros<float>(w);
    sum += dot(load(a, w.row(), span<64>(0, 64)), load(b)); // compile-error: no viable overloaded '+='
    store(w, full_like(dot(load(a, w.row(), span<64>(0, 64)), load(b)), 1.0f));
    //= store(w, sum);
  }
}
