// Loops whose number of iterations nobody knows.
// RUN: belay-opt %s --ascend-insert-sync=show-cost --ascend-verify-sync --split-input-file --verify-diagnostics -o - | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// One flag goes to the next iteration; it is up before the first, and taken after the last.
// CHECK-LABEL: func.func @carried
// expected-remark @+1 {{ordered by 2 flags, 0 barriers and 0 barriers for all pipes; rung 0, 1 proofs}}
func.func @carried(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  // CHECK: ascend.flag.set <V> to <MTE2> event 0
  // CHECK-NEXT: scf.while
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    // CHECK: scf.condition
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    // CHECK: ascend.flag.wait <V> to <MTE2> event 0
    // CHECK-NEXT: ascend.dma.in
    // CHECK-NEXT: ascend.flag.set <MTE2> to <V> event 0
    // CHECK-NEXT: ascend.flag.wait <MTE2> to <V> event 0
    // CHECK-NEXT: ascend.vec.unary
    // CHECK-NEXT: ascend.flag.set <V> to <MTE2> event 0
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %a -> %a, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  // CHECK: ascend.flag.wait <V> to <MTE2> event 0
  // CHECK-NEXT: return
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
// Copies to rows that nobody knows to differ follow each other.
// CHECK-LABEL: func.func @comes_back
// CHECK: scf.condition
// CHECK: ascend.barrier on <MTE3>
// CHECK-NEXT: ascend.dma.out
// expected-remark @+1 {{ordered by 0 flags, 1 barriers and 0 barriers for all pipes; rung 0, 1 proofs}}
func.func @comes_back(%y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    ascend.dma.out %a -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
func.func @in_condition(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %r = scf.while (%i = %n) : (index) -> index {
    // expected-error @+1 {{'ascend.dma.in' op is in the condition of a loop, where nothing can wait for it}}
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    scf.yield %c0 : index
  }
  return
}
