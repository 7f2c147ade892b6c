// Loops around loops: an inner one may be empty, and one of them may stay where it is.
// RUN: belay-opt %s --ascend-insert-sync=show-cost --ascend-verify-sync 2>&1 | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// What the outer loop loads, the inner one reads, if it has an iteration: the third iteration
// of the outer loop finds the slot of the first.
// CHECK: remark: ordered by {{[0-9]+}} flags, 0 barriers and 0 barriers for all pipes; rung 0, 1 proofs
// CHECK: func.func @empty
func.func @empty(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                 %y: memref<?x?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %rows: index,
                 %n: index) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %last = scf.for %r = %c0 to %rows step %c1 iter_args(%slot = %c0) -> (index) {
    %a = ascend.buffer at 0 2 slots [%slot] : memref<1x64xf32, #ub>
    %b = ascend.buffer at 512 2 slots [%slot] : memref<1x64xf32, #ub>
    ascend.dma.in %x[%r, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    scf.for %i = %c0 to %n step %c1 {
      ascend.dma.out %b -> %y[%r, %i, 0] [1, 1, 64] : memref<1x64xf32, #ub> -> memref<?x?x64xf32, #gm>
    }
    %next = arith.subi %c1, %slot : index
    scf.yield %next : index
  }
  return
}

// Two halves of a row: apart in their columns always, and in their rows from one iteration to
// the next.
// CHECK: func.func @halves
// CHECK-NOT: ascend.barrier
// CHECK: return
func.func @halves(%y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index, %s: f32)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = ascend.buffer at 0 : memref<1x32xf32, #ub>
  ascend.vec.fill %s -> %a, %c32 : f32, memref<1x32xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    ascend.dma.out %a -> %y[%i, 0] [1, 32] : memref<1x32xf32, #ub> -> memref<?x64xf32, #gm>
    ascend.dma.out %a -> %y[%i, 32] [1, 32] : memref<1x32xf32, #ub> -> memref<?x64xf32, #gm>
  }
  return
}

// Parts of a row that overlap, of rows that do not: only those of one iteration overlap.
// CHECK: func.func @overlapping
// CHECK: ascend.dma.out
// CHECK-NEXT: ascend.barrier on <MTE3>
// CHECK-NEXT: ascend.dma.out
// CHECK-NOT: ascend.barrier
// CHECK: return
func.func @overlapping(%y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index, %s: f32)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = ascend.buffer at 0 : memref<1x32xf32, #ub>
  ascend.vec.fill %s -> %a, %c32 : f32, memref<1x32xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    ascend.dma.out %a -> %y[%i, 0] [1, 32] : memref<1x32xf32, #ub> -> memref<?x64xf32, #gm>
    ascend.dma.out %a -> %y[%i, 31] [1, 32] : memref<1x32xf32, #ub> -> memref<?x64xf32, #gm>
  }
  return
}

// The inner loop moves on, the outer one does not: a barrier for each iteration of the outer
// loop, none inside the inner one.
// CHECK: func.func @sweeps
// CHECK: scf.for
// CHECK-NEXT: ascend.barrier on <MTE3>
// CHECK-NEXT: scf.for
// CHECK-NOT: ascend.barrier
// CHECK: return
func.func @sweeps(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}, %times: index, %n: index,
                  %s: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  scf.for %t = %c0 to %times step %c1 {
    scf.for %i = %c0 to %n step %c64 {
      ascend.dma.out %a -> %y[%i] [64] : memref<1x64xf32, #ub> -> memref<?xf32, #gm>
    }
  }
  return
}
