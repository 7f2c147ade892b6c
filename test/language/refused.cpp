// One mistake each, refused at its line with its id.
// RUN: %python %S/Inputs/check-refused.py %s
#include "belay/kernel.h"
#include <utility>
using namespace belay;

[[belay::kernel]] void pointer(In<float> x) {
  float *p = nullptr; // not-in-kernels: 'p' is a pointer or array
}
[[belay::kernel]] void array(In<float> x) {
  float a[4] = {}; // not-in-kernels: 'a' is a pointer or array
}
[[belay::kernel]] void address(In<float> x) {
  float s = 1;
  float t = *&s; // not-in-kernels: there are no addresses
}
[[belay::kernel]] void jump(In<float> x) {
again:
  goto again; // not-in-kernels: 'goto' leaves no order
}
[[belay::kernel]] void whiles(In<float> x) {
  i64 i = 0;
  while (i < 4) // not-in-kernels: 'while' has no trip count
    ++i;
}
[[belay::kernel]] void dos(In<float> x) {
  i64 i = 0;
  do // not-in-kernels: 'do' has no trip count
    ++i;
  while (i < 4);
}
[[belay::kernel]] void switches(i64 n) {
  switch (n) { // not-in-kernels: 'switch' is not there
  default:;
  }
}
[[belay::kernel]] void breaks(i64 n) {
  for (i64 i = 0; i < n; ++i)
    break; // not-in-kernels: 'break' is not there
}
[[belay::kernel]] void continues(i64 n) {
  for (i64 i = 0; i < n; ++i)
    continue; // not-in-kernels: 'continue' is not there
}
[[belay::kernel]] void allocates(In<float> x) {
  float s = *new float(1); // not-in-kernels: nothing is allocated on a core
}
[[belay::kernel]] void assembly(In<float> x) {
  asm(""); // not-in-kernels: assembly cannot be proven
}
[[belay::kernel]] void reinterprets(i64 n) {
  float &f = reinterpret_cast<float &>(n); // not-in-kernels: bits have one type
}
[[belay::kernel]] void remembers(i64 n) {
  static i64 count = 0; // not-in-kernels: a core keeps nothing
}
[[belay::kernel]] void unset(i64 n) {
  i64 i; // not-in-kernels: 'i' has no value
}
[[belay::kernel]] void narrow(In<float> x) {
  for (int i = 0; i < 4; ++i) // narrow-index: 'i' has 32 bits and could wrap
    ;
}
[[belay::kernel]] void unsigneds(In<float> x) {
  unsigned long n = 4; // narrow-index: 'n' is unsigned
}
[[belay::kernel]] void shortened(In<float> x) {
  i64 big = x.size();
  i16 small = big; // narrow-index: 'small' has 16 bits
}
[[belay::kernel]] void
doubles(double d) { // not-in-kernels: 'double' has no place
}
[[belay::kernel]] void backwards(i64 n) {
  for (i64 i = n; i > 0; --i) // not-in-kernels: the trip count of this loop
    ;
}
[[belay::kernel]] void pushed(i64 n) {
  for (i64 i = 0; i < n; ++i)
    i += 2; // not-in-kernels: the loop's own variable 'i' is assigned
}
[[belay::kernel]] void moved(In<float, 64> x, Out<float, 64> y) {
  auto t = load(x);
  auto u = std::move(t);
  store(y, span<64>(0, 64),
        t); // use-after-move: 't' is used after it was moved
}
[[belay::kernel]] void moved_in_branch(In<float, 64> x, Out<float, 64> y,
                                       i64 n) {
  auto t = load(x);
  auto u = load(x);
  if (n > 3)
    u = std::move(t);
  store(y, span<64>(0, 64),
        t); // use-after-move: 't' is used after it was moved
}
[[belay::kernel]] void moved_in_loop(In<float, 64> x, Out<float, 64> y, i64 n) {
  auto t = load(x);
  auto u = load(x);
  for (i64 i = 0; i < n; ++i)
    u = std::move(t); // use-after-move: 't' is used after it was moved
  store(y, span<64>(0, 64), u);
}
[[belay::kernel]] void expects_late(i64 n) {
  if (n > 3)
    expects(n < 8); // not-in-kernels: what a kernel expects is checked at its
}
[[belay::kernel]] void early(i64 n) {
  return; // not-in-kernels: a kernel does not have 'return' from a kernel
}
i64 recursive(i64 n) {
  return recursive(n - 1); // not-in-kernels: 'recursive' calls itself
}
[[belay::kernel]] void recursion(i64 n) { i64 m = recursive(n); }
i64 elsewhere(i64 n);
[[belay::kernel]] void external(i64 n) {
  i64 m = elsewhere(n); // not-in-kernels: 'elsewhere' is neither an operation
}
[[belay::kernel]] void calls_kernel(i64 n) {
  early(n); // not-in-kernels: 'early' is a kernel
}
i64 outside = 4;
[[belay::kernel]] void global(i64 n) {
  i64 m = outside; // not-in-kernels: a variable from outside
}
[[belay::kernel]] void wide_int(In<i32, 64> x) {
  auto s = sum(load(x));
  i64 m = s * s; // narrow-index: arithmetic in 'int' could wrap
}
[[belay::kernel]] void no_dimension(In<float> x) {
  i64 n = x.extent(1); // not-in-kernels: the dimension is a constant
}
