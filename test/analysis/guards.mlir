// What is not proven is checked on the device, once, before it happens.
// RUN: belay-opt %s --ascend-prove --split-input-file 2>/dev/null | FileCheck %s

#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x256xf32>
// CHECK-LABEL: func.func @window
func.func @window(%x: !view {ascend.role = #ascend.role<in>} loc("x"),
                  %y: !view {ascend.role = #ascend.role<out>} loc("y")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : !view
  %ny = memref.dim %y, %c0 : !view
  %same = arith.cmpi eq, %n, %ny : index
  ascend.expects %same, "x.size() == y.size()"
  %core = ascend.core_index
  %cores = ascend.core_count
  %from = arith.muli %core, %c256 : index
  %step = arith.muli %cores, %c256 : index
  // CHECK: scf.for %[[I:.*]] =
  scf.for %i = %from to %n step %step {
    // CHECK: %[[N:.*]] = memref.dim %arg0
    // CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[I]] : index
    // CHECK: %[[OK:.*]] = arith.cmpi sle, %{{.*}}, %[[LEFT]] : index
    // CHECK: ascend.guard %[[OK]], "gm-out-of-bounds", "i + 256 <= x.size()"
    // CHECK-NEXT: ascend.load
    %t = ascend.load %x[%i] [256] : !view -> !tile
    // y is as long as x, and that has been checked.
    // CHECK-NOT: ascend.guard
    // CHECK: ascend.store
    ascend.store %t, %y[%i] [256] : !tile -> !view
  }
  return
}

// -----
// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%a: index loc("a"), %b: index loc("b")) attributes {ascend.kernel} {
  // CHECK: arith.select
  // CHECK: ascend.guard %{{.*}}, "index-overflow", "a + b fits in 64 bits"
  // CHECK-NEXT: arith.addi
  %sum = arith.addi %a, %b : index
  // CHECK: ascend.guard %{{.*}}, "index-overflow", "a - b fits in 64 bits"
  // CHECK-NEXT: arith.subi
  %difference = arith.subi %a, %b : index
  // CHECK: ascend.guard %{{.*}}, "index-overflow", "a * b fits in 64 bits"
  // CHECK-NEXT: arith.muli
  %product = arith.muli %a, %b : index
  // CHECK: ascend.guard %{{.*}}, "division-by-zero", "b != 0"
  // CHECK: arith.divsi
  %quotient = arith.divsi %a, %b : index
  // Once is enough.
  // CHECK-NOT: division-by-zero
  // CHECK: arith.remsi
  %rest = arith.remsi %a, %b : index
  return
}
