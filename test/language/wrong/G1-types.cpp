// G1: no confusion of element types, shapes or roles; C++ itself refuses it.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void other_element(In<half, 64> x, Out<float, 64> y) {
  if (first_core())
    store(y, span<64>(0, 64), load(x)); // compile-error: no matching function for call to 'store'
  //= store(y, span<64>(0, 64), cast<float>(load(x)));
}
[[belay::kernel]] void mixed_elements(In<half, 64> x, In<float, 64> y, Out<float, 64> z) {
  auto t = load(x) + load(y); // compile-error: the tiles have different elements; cast<T>(...) converts one of them
  //= auto t = cast<float>(load(x)) + load(y);
  if (first_core())
    store(z, span<64>(0, 64), t);
}
[[belay::kernel]] void mixed_shapes(In<float, 64> x, In<float, 32> y, Out<float, 64> z) {
  auto t = load(x) + load(y); // compile-error: the tiles have different extents; one of them has to be a row
  //= auto t = load(x) + sum(load(y));
  if (first_core())
    store(z, span<64>(0, 64), t);
}
[[belay::kernel]] void writes_an_input(In<float> x) {
  //= [[belay::kernel]] void writes_an_input(InOut<float> x) {
  for (auto w : my_tiles<64>(x))
    store(w, load(x, w)); // compile-error: no matching function for call to 'store'
}
[[belay::kernel]] void copies_a_tile(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  auto u = t; // compile-error: call to deleted constructor
  //= auto u = copy(t);
  if (first_core())
    store(y, span<64>(0, 64), t + u);
}
[[belay::kernel]] void no_such_rank(In<float> x, Out<float, 1> y) {
  i64 n = x.rows(); // compile-error: invalid reference to function 'rows'
  //= i64 n = x.size();
  if (first_core())
    store(y, 0, float(n));
}
[[belay::kernel]] void open_extent_as_a_whole(In<float> x, Out<float, 1> y) {
  float s = sum(load(x)); // compile-error: no matching function for call to 'load'
  //= float s = 1;
  if (first_core())
    store(y, 0, s);
}
[[belay::kernel]] void rows_of_open_columns(In<float, dyn, dyn> x, Out<float, dyn, dyn> y) {
  expects(x.rows() == y.rows() && x.cols() == y.cols());
  for (auto w : my_rows<8>(y)) // compile-error: no matching function for call to 'my_rows'
    //= for (auto w : my_tiles<8, 64>(y))
    store(w, load(x, w));
}
[[belay::kernel]] void float_indices(In<half, dyn, 64> table, In<float> ids, Out<half, dyn, 64> y) {
  expects(y.rows() == ids.size());
  for (auto rows : my_rows<16>(y))
    store(rows, gather<Oob::zero>(table, load(ids, rows))); // compile-error: no matching function for call to 'gather'
  //= store(rows, gather<Oob::zero>(table, cast<i32>(load(ids, rows))));
}
[[belay::kernel]] void wide_places(In<float, 64> x, In<i64, 64> ids, Out<float, 64> y) {
  auto t = gather<Oob::zero>(load(x), load(ids)); // compile-error: no matching function for call to 'gather'
  //= auto t = gather<Oob::zero>(load(x), cast<i32>(load(ids)));
  if (first_core())
    store(y, span<64>(0, 64), t);
}
[[belay::kernel]] void rows_that_differ(In<float, 8, 64> x, In<i32, 4, 64> ids, Out<float, 4, 64> y) {
  auto t = gather<Oob::zero>(load(x), load(ids)); // compile-error: no matching function for call to 'gather'
  //= auto t = gather<Oob::zero>(load(x, span<4>(0, 4), span<64>(0, 64)), load(ids));
  if (first_core())
    store(y, span<4>(0, 4), span<64>(0, 64), t);
}
[[belay::kernel]] void integer_quotient(In<i32, 64> x, Out<i32, 64> y) {
  auto t = load(x) / load(x); // compile-error: invalid operands to binary expression
  //= auto t = load(x) * load(x);
  if (first_core())
    store(y, span<64>(0, 64), t);
}
[[belay::kernel]] void mask_as_number(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  auto u = t * (t > 0.0f); // compile-error: the tiles have different elements; cast<T>(...) converts one of them
  //= auto u = select(t > 0.0f, t, 0.0f);
  if (first_core())
    store(y, span<64>(0, 64), u);
}
[[belay::kernel]] void window_of_another_shape(In<float, dyn, 64> x, Out<float, dyn, 64> y) {
  expects(x.rows() == y.rows());
  for (auto rows : my_rows<8>(y))
    store(rows, row_sum(load(x, rows))); // compile-error: no matching function for call to 'store'
  //= store(rows, load(x, rows) * row_sum(load(x, rows)));
}
[[belay::kernel]] void rows_of_another_length(In<float, dyn, 64> x, Out<float, dyn, 32> y) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<8>(y))
    store(w, load(x, w)); // compile-error: the window has whole rows, and those of this view have another length
  //= store(w, load(x, w.row(), span<32>(0, 32)));
}
[[belay::kernel]] void padded_rows_of_another_length(In<float, dyn, 64> x, Out<float, dyn, 32> y) {
  expects(x.rows() == y.rows());
  for (auto w : my_rows<8>(y))
    store(w, load(x, w, 0.0f)); // compile-error: no matching function for call to 'load'
  //= store(w, load(x, w.row(), span<32>(32, 32), 0.0f));
}
