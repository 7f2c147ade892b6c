// G8: products that an architecture has no instructions for, or not yet.
// RUN: %python %S/../Inputs/check-wrong.py %s --emit ascendc --soc Ascend310P3
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void product(In<half, dyn, 64> a, In<half, 64, 64> b, Out<float, dyn, 64> c) {
  //= [[belay::kernel]] void product(In<float, dyn, 64> a, In<half, 64, 64> b, Out<float, dyn, 64> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w), load(b))); // not-emitted: 'dot'
  //= store(w, load(a, w));
}
[[belay::kernel]] void product_of_floats(In<float, dyn, 64> a, In<float, 64, 64> b, Out<float, dyn, 64> c) {
  expects(a.rows() == c.rows());
  for (auto w : my_rows<16>(c))
    store(w, dot(load(a, w), load(b))); // not-emitted: 'dot'
  //= store(w, load(a, w));
}
