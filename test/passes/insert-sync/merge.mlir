// In a loop with two slots, one flag serves all copies of an iteration.
// RUN: belay-opt %s --ascend-insert-sync --ascend-verify-sync | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @iteration
func.func @iteration(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<inout>},
                %z: memref<?x64xf32, #gm> {ascend.role = #ascend.role<inout>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: scf.for
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%slot = %c0) -> index {
    %a = ascend.buffer at 0 2 slots[%slot] : memref<1x64xf32, #ub>
    %b = ascend.buffer at 512 2 slots[%slot] : memref<1x64xf32, #ub>
    %c = ascend.buffer at 1024 2 slots[%slot] : memref<1x64xf32, #ub>
    %d = ascend.buffer at 1536 2 slots[%slot] : memref<1x64xf32, #ub>
    // CHECK: ascend.flag.wait <V> to <MTE2> event 0 +
    // CHECK-NEXT: ascend.dma.in
    // CHECK-NEXT: ascend.dma.in
    // CHECK-NEXT: ascend.flag.set <MTE2> to <V> event 0 +
    // CHECK-NEXT: ascend.flag.wait <MTE2> to <V> event 0 +
    // CHECK-NEXT: ascend.flag.wait <MTE3> to <V> event 0 +
    // CHECK-NEXT: ascend.vec.unary <exp>
    // CHECK-NEXT: ascend.vec.unary <abs>
    // CHECK-NEXT: ascend.flag.set <V> to <MTE2> event 0 +
    // CHECK-NEXT: ascend.flag.set <V> to <MTE3> event 0 +
    // CHECK-NEXT: ascend.flag.wait <V> to <MTE3> event 0 +
    // CHECK-NEXT: ascend.dma.out
    // CHECK-NEXT: ascend.dma.out
    // CHECK-NEXT: ascend.flag.set <MTE3> to <V> event 0 +
    // CHECK-NOT: ascend.flag
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.dma.in %y[%i, 0] [1, 64] -> %b : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %a -> %c, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.vec.unary <abs> %b -> %d, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.dma.out %c -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    ascend.dma.out %d -> %z[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    // CHECK: scf.yield
    %next = arith.subi %c1, %slot : index
    scf.yield %next : index
  }
  return
}
