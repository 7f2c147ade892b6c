// G10: arguments do not alias unless they are declared to: an input is never
// written, through no view of it; what is read and written is one InOut.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void input_as_output(In<float, 4> x, Out<float, 4> y) {
  if (first_core())
    store(x, 0, 1.0f); // compile-error: no matching function for call to 'store'
  //= store(y, 0, 1.0f);
}
[[belay::kernel]] void part_of_an_input(In<float, 4, 64> x, Out<float, 64> y) {
  if (first_core())
    store(x[2], span<64>(0, 64), load(x[1])); // compile-error: no matching function for call to 'store'
  //= store(y, span<64>(0, 64), load(x[1]));
}
[[belay::kernel]] void input_turned(In<float, 8, 64> x, Out<float, 64, 8> y) {
  auto z = x.transposed();
  if (first_core())
    store(z, span<64>(0, 64), span<8>(0, 8), load(z)); // compile-error: no matching function for call to 'store'
  //= store(y, span<64>(0, 64), span<8>(0, 8), load(z));
}
[[belay::kernel]] void input_added_to(In<float> x, In<float, 64> y) {
  //= [[belay::kernel]] void input_added_to(In<float> x, InOut<float, 64> y) {
  for (auto w : my_tiles<64>(x))
    store_add(y, span<64>(0, w.col().size), load(x, w)); // compile-error: no matching function for call to 'store_add'
}
[[belay::kernel]] void input_scattered_to(In<float, dyn, 64> x, In<i32> ids, In<float, dyn, 64> y) {
  //= [[belay::kernel]] void input_scattered_to(In<float, dyn, 64> x, In<i32> ids, InOut<float, dyn, 64> y) {
  expects(x.rows() == ids.size());
  for (auto rows : my_rows<16>(x))
    scatter_add<Oob::zero>(y, load(ids, rows), load(x, rows)); // compile-error: no matching function for call to 'scatter_add'
}
