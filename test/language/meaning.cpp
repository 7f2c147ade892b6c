// What C++ means, kernels mean: what is evaluated, how often, with which values.
// RUN: belay build %s --emit ascend-ir | FileCheck %s
#include "belay/kernel.h"
using namespace belay;

i64 digits(i64 a, i64 b, i64 c) { return a * 100 + b * 10 + c; }
// CHECK-LABEL: func.func @nested_calls(
[[belay::kernel]] void nested_calls(Out<i64, 8> y) {
  // CHECK: arith.constant 1624 : i64
  if (first_core())
    store(y, 0, digits(4, digits(1, 2, 0), 24));
}

template <bool B> i64 chosen(i64 n) {
  if constexpr (B)
    return n + 7;
  return n + 9;
}
// CHECK-LABEL: func.func @returns(
[[belay::kernel]] void returns(Out<i64, 8> y, i64 n) {
  expects(n >= 0 && n <= 10);
  // CHECK-NOT: arith.constant 9 : index
  // CHECK: arith.addi %{{.*}}, %c7
  // CHECK-NOT: arith.addi
  if (first_core())
    store(y, 0, chosen<true>(n));
}

// A divisor is only looked at where C++ looks at it.
// CHECK-LABEL: func.func @lazy(
[[belay::kernel]] void lazy(Out<i64, 8> y, i64 n) {
  expects(n >= 0 && n <= 1000);
  if (first_core()) {
    // CHECK: scf.if %{{.*}} -> (i1) {
    // CHECK-NEXT: arith.divsi
    if (n > 0 && 1000 / n > 3)
      store(y, 0, 1);
    // CHECK: scf.if %{{.*}} -> (index) {
    // CHECK: else
    // CHECK-NEXT: arith.divsi
    store(y, 1, n == 0 ? 0 : 1000 / n);
  }
}

// The launcher's conditions rely on those before them.
// CHECK-LABEL: func.func @contracts(
[[belay::kernel]] void contracts(Out<i64, 8> y, i64 n, i64 d) {
  // CHECK: ascend.expects %{{.*}}, "d > 0"
  // CHECK-NEXT: arith.remsi
  // CHECK: ascend.expects %{{.*}}, "n % d == 0"
  expects(d > 0 && n % d == 0);
  if (first_core())
    store(y, 0, n);
}

// A lambda that a function calls changes what the loop carries.
// CHECK-LABEL: func.func @through_lambdas(
[[belay::kernel]] void through_lambdas(Out<float, 8> y, i64 n) {
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
  float s = 0;
  auto add = [&](float k) { s += k; };
  auto apply = [&](auto f, float k) { f(k); };
  for (i64 i = 0; i < n; ++i)
    apply(add, 2.0f);
  if (first_core())
    store(y, 0, s);
}

// The limit changes in the body, so it is evaluated again in every iteration.
// CHECK-LABEL: func.func @moving_limit(
[[belay::kernel]] void moving_limit(Out<float, 8> y) {
  // CHECK: scf.while
  i64 limit = 100, i = 0;
  while (i < limit) {
    limit -= 1;
    i += 1;
  }
  if (first_core())
    store(y, 0, float(i));
}

// A while that counts is a for; its variable lives on.
// CHECK-LABEL: func.func @counts(
[[belay::kernel]] void counts(Out<float, 8> y, i64 n) {
  expects(n >= 0 && n <= 1000);
  i64 i = 0;
  // CHECK: %[[LAST:.*]] = scf.for {{.*}} -> (index)
  while (i < n)
    i += 2;
  // CHECK: arith.index_cast %[[LAST]]
  if (first_core())
    store(y, 0, float(i));
}

// Downwards: from the last to the first.
// CHECK-LABEL: func.func @down(
[[belay::kernel]] void down(In<float, 256> x, Out<float, 256> y) {
  // CHECK: scf.for %[[COME:.*]] = %c0{{.*}} to %{{.*}} step %c64
  // CHECK: %[[I:.*]] = arith.subi %c192, %[[COME]]
  // CHECK: ascend.load %{{.*}}[%[[I]]] [64]
  if (first_core())
    for (i64 i = 192; i >= 0; i -= 64)
      store(y, span<64>(i, 64), load(x, span<64>(i, 64)));
}
