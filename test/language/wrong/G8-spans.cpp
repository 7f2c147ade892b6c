// G8: a span is not larger than its type says, where that can be seen at once.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void always_too_large(In<float, 128> x, Out<float, 1> y) {
  if (first_core())
    store(y, 0, sum(load(x, span<64>(0, 65)))); // tile-capacity: a span of at most 64 cannot have 65
  //= store(y, 0, sum(load(x, span<64>(0, 64))));
}
[[belay::kernel]] void negative(In<float, 128> x, Out<float, 1> y) {
  if (first_core())
    store(y, 0, sum(load(x, span<64>(0, -1)))); // tile-capacity: a span of at most 64 cannot have -1
  //= store(y, 0, sum(load(x, span<64>(0, 1))));
}
