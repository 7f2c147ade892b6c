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
// Rows of tiles begin with a block, but for those of one element.
[[belay::kernel]] void one_column(In<half, dyn, 64> a, In<half, 64, 1> b, Out<float, dyn, 1> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c)) {
    auto x = load(a, w.row(), span<64>(0, 64));
    store(w, dot(x, load(b))); // not-emitted: has one column
    //= store(w, row_sum(cast<float>(x)));
  }
}
