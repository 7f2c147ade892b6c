// G4: nothing is read that nobody wrote; there is no way to name it.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void unset_index(Out<float, 4> y) {
  i64 i; // not-in-kernels: 'i' has no value
  //= i64 i = 3;
  if (first_core())
    store(y, i, 1.0f);
}
[[belay::kernel]] void unset_sum(In<float, 64> x, Out<float, 4> y) {
  float s; // not-in-kernels: 's' has no value
  //= float s = 0;
  s = s + sum(load(x));
  if (first_core())
    store(y, 0, s);
}
[[belay::kernel]] void unset_flag(Out<float, 4> y) {
  bool b; // not-in-kernels: 'b' has no value
  //= bool b = true;
  if (first_core())
    store(y, 0, b ? 1.0f : 0.0f);
}
