// G1: the vector unit gathers from tiles what it has an instruction for.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void bytes_by_index(In<i8, 64> x, In<i32, 64> ids, Out<i8, 64> y) {
  auto t = gather<Oob::zero>(load(x), load(ids)); // not-in-kernels: the vector unit gathers elements of 16 and 32 bits, not of i8
  //= auto t = gather<Oob::zero>(x, load(ids));
  if (first_core())
    store(y, span<64>(0, 64), t);
}
[[belay::kernel]] void longs_by_index(In<i64, 64> x, In<i32, 64> ids, Out<i64, 64> y) {
  auto t = gather<Oob::trap>(load(x), load(ids)); // not-in-kernels: the vector unit gathers elements of 16 and 32 bits, not of i64
  //= auto t = gather<Oob::trap>(x, load(ids));
  if (first_core())
    store(y, span<64>(0, 64), t);
}
[[belay::kernel]] void masks_by_index(In<float, 64> x, In<i32, 64> ids, Out<float, 64> y) {
  auto t = select(gather<Oob::clamp>(load(x) > 0.0f, load(ids)), load(x), 0.0f); // not-in-kernels: not of bool
  //= auto t = select(gather<Oob::clamp>(load(x), load(ids)) > 0.0f, load(x), 0.0f);
  if (first_core())
    store(y, span<64>(0, 64), t);
}
