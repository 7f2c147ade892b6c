// G8: products that the cube of the 310P has no instructions for.
// RUN: %python %S/../Inputs/check-wrong.py %s --emit ascendc --soc Ascend310P3
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void product_of_floats(In<float, dyn, 64> a, In<float, 64, 64> b, Out<float, dyn, 64> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w), load(b))); // not-emitted: does not become instructions for this type
  //= store(w, dot(cast<half>(load(a, w)), cast<half>(load(b))));
}
// It transposes elements of 16 bits only.
[[belay::kernel]] void product_of_bytes(In<i8, dyn, 64> a, In<i8, 64, 64> b, Out<i32, dyn, 64> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w), load(b))); // not-emitted: does not transpose elements of this type
  //= store(w, dot(load(a, w), load(b.transposed())));
}
// Columns go between the units as rows, so these are transposed, too.
[[belay::kernel]] void columns_of_bytes(In<i8, dyn, 64> a, In<i8, 64, 64> b, Out<i32, dyn, 64> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto sum = zeros<i32>(w);
    for (auto k : tiles<1>(64))
      sum += dot(load(a, w.row(), k), load(b.transposed(), k, span<64>(0, 64))); // not-emitted: in steps of more than one element
    //= sum += dot(load(a, w.row(), span<64>(0, 64)), load(b.transposed()));
    store(w, sum);
  }
}
