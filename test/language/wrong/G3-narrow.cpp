// G3: no index is narrower than 64 bits, or unsigned.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void narrow(Out<float, 4> y) {
  if (first_core())
    for (int i = 0; i < 4; ++i) // narrow-index: 'i' has 32 bits and could wrap
      //= for (i64 i = 0; i < 4; ++i)
      store(y, i, 1.0f);
}
[[belay::kernel]] void unsigneds(Out<float, 4> y) {
  unsigned long n = 3; // narrow-index: 'n' is unsigned
  //= i64 n = 3;
  if (first_core())
    store(y, n, 1.0f);
}
[[belay::kernel]] void shortened(In<float> x, Out<float, 4> y) {
  i64 big = x.size();
  i16 small = big; // narrow-index: 'small' has 16 bits
  //= i64 small = big;
  if (first_core())
    store(y, 0, float(small));
}
[[belay::kernel]] void truncated(Out<float, 4> y, float a) {
  i64 n = a; // not-in-kernels: a kernel does not have this conversion
  //= float n = a;
  if (first_core())
    store(y, 0, float(n));
}
[[belay::kernel]] void wide_int(In<i32, 64> x, Out<float, 4> y) {
  auto s = sum(load(x));
  float m = float(s * s); // narrow-index: arithmetic in 'int' could wrap
  //= float m = float(s) * float(s);
  if (first_core())
    store(y, 0, m);
}
[[belay::kernel]] void of_size_t(Out<float, 4> y) {
  std::size_t n = 4; // narrow-index: 'n' is unsigned
  //= i64 n = 3;
  if (first_core())
    store(y, i64(n), 1.0f);
}
[[belay::kernel]] void of_auto(Out<float, 4> y) {
  auto n = 3; // narrow-index: 'n' has 32 bits
  //= auto n = i64(3);
  if (first_core())
    store(y, n, 1.0f);
}
i64 short_step(short by) { return by; }
[[belay::kernel]] void double_index(Out<float, 4> y,
                                    double d) { // not-in-kernels: 'double' has no place
  //= float d) {
  if (first_core())
    store(y, 0, float(d));
}
