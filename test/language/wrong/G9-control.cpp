// G9: control flow that cannot be seen is not there.
// RUN: %python %S/../Inputs/check-wrong.py %s
#include "belay/kernel.h"
using namespace belay;

[[belay::kernel]] void jump(Out<float, 4> y) {
again:
  //= ;
  goto again; // not-in-kernels: 'goto' leaves no order
  //= ;
}
[[belay::kernel]] void dos(Out<float, 4> y) {
  i64 i = 0;
  do ++i; while (i < 4); // not-in-kernels: 'do' is not there
  //= while (i < 4) ++i;
}
[[belay::kernel]] void switches(i64 n) {
  switch (n) { // not-in-kernels: 'switch' is not there
    //= {
  default:;
    //= ;
  }
}
[[belay::kernel]] void breaks(i64 n) {
  for (i64 i = 0; i < n; ++i)
    break; // not-in-kernels: 'break' is not there
  //= ;
}
[[belay::kernel]] void continues(i64 n) {
  for (i64 i = 0; i < n; ++i)
    continue; // not-in-kernels: 'continue' is not there
  //= ;
}
[[belay::kernel]] void no_condition(i64 n) {
  for (i64 i = 0;; ++i) // not-in-kernels: this loop has no condition
    //= for (i64 i = 0; i < n; ++i)
    ;
}
[[belay::kernel]] void pushed(i64 n) {
  i64 k = 0;
  for (i64 i = 0; i < n; ++i)
    i += 2; // not-in-kernels: the loop's own variable 'i' is assigned
  //= k = 2;
}
[[belay::kernel]] void expects_late(i64 n) {
  if (n > 3)
    expects(n < 8); // not-in-kernels: what a kernel expects is checked at its
  //= ;
}
[[belay::kernel]] void early(i64 n) {
  return; // not-in-kernels: a kernel does not have 'return' from a kernel
  //= ;
}
i64 either(i64 n) {
  if (n > 3)
    return 1; // not-in-kernels: 'return' inside of a loop or branch
  //= n = 3;
  return 2;
}
[[belay::kernel]] void returns_in_branch(i64 n) { i64 m = either(n); }
i64 recursive(i64 n) {
  return recursive(n - 1); // not-in-kernels: 'recursive' calls itself
  //= return n > 0 ? n - 1 : 0;
}
[[belay::kernel]] void recursion(i64 n) { i64 m = recursive(n); }
i64 elsewhere(i64 n);
[[belay::kernel]] void external(i64 n) {
  i64 m = elsewhere(n); // not-in-kernels: 'elsewhere' is neither an operation
  //= i64 m = n;
}
[[belay::kernel]] void calls_kernel(i64 n) {
  early(n); // not-in-kernels: 'early' is a kernel
  //= ;
}
i64 outside = 4;
[[belay::kernel]] void global(i64 n) {
  i64 m = outside; // not-in-kernels: a variable from outside
  //= i64 m = 4;
}
[[belay::kernel]] void no_dimension(In<float> x) {
  i64 n = x.extent(1); // not-in-kernels: the dimension is a constant
  //= i64 n = x.extent(0);
}
[[belay::kernel]] void assigns_in_condition(i64 n) {
  i64 m = 0;
  if (n > 3 && (m = 4) > 3) // not-in-kernels: assignments inside of &&, || and ?:
    //= if (n > 3 && m > 3)
    m = 1;
}
[[belay::kernel]] void throws(i64 n) {
  if (n > 3)
    throw n; // not-in-kernels: a core has no exceptions
  //= ;
}
[[belay::kernel]] void reinterprets(i64 n) {
  float &f = reinterpret_cast<float &>(n); // not-in-kernels: bits have one type
  //= float f = float(n);
}
[[belay::kernel]] void another_span(In<float, 64> x, Out<float, 64> y) {
  auto s = span<64>(0, 64);
  s = span<64>(0, 32); // not-in-kernels: assigning to a view, a window or a span
  //= ;
  if (first_core())
    store(y, s, load(x, s));
}
[[belay::kernel]] void another_view(In<float, 64> x, In<float, 64> z, Out<float, 64> y, i64 n) {
  auto v = x;
  if (n > 3)
    v = z; // not-in-kernels: assigning to a view, a window or a span
  //= ;
  if (first_core())
    store(y, span<64>(0, 64), load(v));
}
