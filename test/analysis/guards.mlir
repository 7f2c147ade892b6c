// What is not proven is checked on the device, once, before it happens.
// RUN: not belay-opt %s --ascend-prove --split-input-file 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REFUSED <%t

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
  // The last window is the first to be outside, so one check does for all.
  // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[FROM:.*]], %[[N:.*]] : index
  // CHECK: scf.if %[[RUNS]] {
  // CHECK: %[[LAST:.*]] = arith.addi %[[FROM]], %{{.*}} : index
  // CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[LAST]] : index
  // CHECK: %[[OK:.*]] = arith.cmpi sle, %{{.*}}, %[[LEFT]] : index
  // CHECK-NEXT: ascend.guard %[[OK]], "gm-out-of-bounds", "i + 256 <= x.size()"
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.for %[[I:.*]] = %[[FROM]] to %[[N]]
  scf.for %i = %from to %n step %step {
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
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x64xf32>
// From the end to the begin: the first window decides.
// CHECK-LABEL: func.func @backwards
func.func @backwards(%x: !view {ascend.role = #ascend.role<in>} loc("x"), %end: index loc("end"))
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %most = arith.constant 100000 : index
  %e0 = arith.cmpi sge, %end, %c0 : index
  %e1 = arith.cmpi sle, %end, %most : index
  %rest = arith.remsi %end, %c64 : index
  %e2 = arith.cmpi eq, %rest, %c0 : index
  ascend.expects %e0, "end >= 0"
  ascend.expects %e1, "end <= 100000"
  ascend.expects %e2, "end % 64 == 0"
  // CHECK: scf.if
  // CHECK: arith.subi %{{.*}}, %c0{{.*}} : index
  // CHECK: ascend.guard %{{.*}}, "gm-out-of-bounds"
  // CHECK: scf.for
  // CHECK-NOT: ascend.guard
  // CHECK: ascend.load
  scf.for %i = %c0 to %end step %c64 {
    %left = arith.subi %end, %i : index
    %at = arith.subi %left, %c64 : index
    %t = ascend.load %x[%at] [64] : !view -> !tile
  }
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x1xf32>
// Somewhere in the middle: it stays where it is.
// CHECK-LABEL: func.func @middle
func.func @middle(%x: !view {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %c100 step %c1 {
    %at = arith.remsi %i, %c7 : index
    // CHECK: ascend.guard %{{.*}}, "gm-out-of-bounds", "i % 7 + 1 <= x.size()"
    // CHECK: ascend.load
    %t = ascend.load %x[%at] [1] : !view -> !tile
  }
  return
}

// -----
#gm = #ascend.space<gm>
!view = memref<?xf32, #gm>
!tile = tensor<1x1xf32>
// What a loop carries is not known before it.
// CHECK-LABEL: func.func @carried
func.func @carried(%x: !view {ascend.role = #ascend.role<in>} loc("x"), %n: index loc("n"))
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 1000 : index
  %e0 = arith.cmpi sle, %n, %most : index
  ascend.expects %e0, "n <= 1000"
  // CHECK: scf.for
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> index {
    // CHECK: ascend.guard %{{.*}}, "gm-out-of-bounds"
    // CHECK: ascend.load
    %t = ascend.load %x[%at] [1] : !view -> !tile
    %next = arith.addi %at, %c1 : index
    scf.yield %next : index
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

// -----
// A guard that stops every launch would help nobody: refused without deny, too.
// CHECK-NOT: func.func @always
// REFUSED: error: '64 + 64 <= 100' is false whenever this is reached [gm-out-of-bounds]
#gm = #ascend.space<gm>
func.func @always(%x: memref<100xf32, #gm> {ascend.role = #ascend.role<in>} loc("x")) attributes {ascend.kernel} {
  %t = ascend.load %x[64] [64] : memref<100xf32, #gm> -> tensor<1x64xf32>
  return
}
