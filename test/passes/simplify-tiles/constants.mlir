// RUN: belay-opt %s --ascend-simplify-tiles | FileCheck %s

!t = tensor<1x?xi32, #ascend.capacity<1x256>>

// The canonical form of (a - b) - a is 0 - b, with a constant that has no extents.
// CHECK-LABEL: func.func @minus
// CHECK-NOT: arith.constant
// CHECK: %[[A:.*]] = arith.subi %arg0, %arg1
// CHECK: arith.subi %[[A]], %arg0
func.func @minus(%a: !t, %b: !t) -> !t {
  %c = arith.subi %a, %b : !t
  %d = arith.subi %c, %a : !t
  return %d : !t
}

// Numbers are simplified, and what nobody uses goes.
// CHECK-LABEL: func.func @numbers
// CHECK-NEXT: return %arg0, %arg1
func.func @numbers(%n: index, %t: !t) -> (index, !t) {
  %c0 = arith.constant 0 : index
  %m = arith.addi %n, %c0 : index
  %u = arith.addi %t, %t : !t
  %v = arith.muli %u, %t : !t
  return %m, %t : index, !t
}

// No instruction fills a mask.
// CHECK-LABEL: func.func @mask
// CHECK: arith.cmpi sle, %arg0, %arg0
func.func @mask(%t: tensor<1x8xi32>) -> tensor<1x8xi1> {
  %m = arith.cmpi sle, %t, %t : tensor<1x8xi32>
  return %m : tensor<1x8xi1>
}
