// Loops whose number of iterations nobody knows, as C++.
// RUN: belay-translate --ascend-to-ascendc --no-lines --soc=Ascend910B3 %s | FileCheck %s

#gm = #ascend.space<gm>

// The condition is one expression; what is carried changes all at once.
// CHECK-LABEL: void fibonacci(
func.func @fibonacci(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>} loc("y"),
                     %n: index loc("n")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %y, %c0 : memref<?xf32, #gm>
  %fits = arith.cmpi sge, %size, %c1 : index
  ascend.expects %fits, "y.size() >= 1"
  // CHECK: int64_t [[A:.*]] = 0;
  // CHECK-NEXT: int64_t [[B:.*]] = 1;
  // CHECK-NEXT: while ([[B]] < n) {
  // CHECK-NEXT: const int64_t [[SUM:.*]] = [[A]] + [[B]];
  // CHECK-NEXT: [[A]] = [[B]];
  // CHECK-NEXT: [[B]] = [[SUM]];
  // CHECK-NEXT: }
  %r:2 = scf.while (%a = %c0, %b = %c1) : (index, index) -> (index, index) {
    %go = arith.cmpi slt, %b, %n : index
    scf.condition(%go) %a, %b : index, index
  } do {
  ^bb0(%a: index, %b: index):
    %sum = arith.addi %a, %b : index
    scf.yield %b, %sum : index, index
  }
  // CHECK: static_cast<int64_t>([[A]])
  %i = arith.index_cast %r#0 : index to i64
  %f = arith.sitofp %i : i64 to f32
  %t = ascend.splat %f [] : f32 -> tensor<1x1xf32>
  ascend.store %t, %y[0] [1] : tensor<1x1xf32> -> memref<?xf32, #gm>
  return
}

// What the condition computes is known in the body, and after the last time.
// CHECK-LABEL: void passed(
func.func @passed(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>} loc("y"),
                  %n: index loc("n")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %size = memref.dim %y, %c0 : memref<?xf32, #gm>
  %fits = arith.cmpi sge, %size, %c1 : index
  ascend.expects %fits, "y.size() >= 1"
  // CHECK: int64_t [[A:.*]] = 0;
  // CHECK-NEXT: int64_t [[NEXT:.*]];
  // CHECK-NEXT: for (;;) {
  // CHECK-NEXT: const int64_t [[SUM:.*]] = [[A]] + 3;
  // CHECK-NEXT: [[NEXT]] = [[SUM]];
  // CHECK-NEXT: if (!([[SUM]] < n)) {
  // CHECK-NEXT: break;
  // CHECK-NEXT: }
  // CHECK-NEXT: [[A]] = [[NEXT]] * 2;
  // CHECK-NEXT: }
  %c2 = arith.constant 2 : index
  %r = scf.while (%a = %c0) : (index) -> index {
    %next = arith.addi %a, %c3 : index
    %go = arith.cmpi slt, %next, %n : index
    scf.condition(%go) %next : index
  } do {
  ^bb0(%a: index):
    %twice = arith.muli %a, %c2 : index
    scf.yield %twice : index
  }
  // CHECK: static_cast<int64_t>([[NEXT]])
  %i = arith.index_cast %r : index to i64
  %f = arith.sitofp %i : i64 to f32
  %t = ascend.splat %f [] : f32 -> tensor<1x1xf32>
  ascend.store %t, %y[0] [1] : tensor<1x1xf32> -> memref<?xf32, #gm>
  return
}
