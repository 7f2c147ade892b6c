// Flags between pipes, barriers inside the vector pipe, and what a loop carries.
// RUN: belay-opt %s --ascend-insert-sync --ascend-verify-sync | FileCheck %s
// RUN: belay-opt %s --ascend-insert-sync=soc=Ascend950PR_9599 --ascend-verify-sync=soc=Ascend950PR_9599 | FileCheck %s --check-prefix=INTERLOCK

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @straight
// INTERLOCK-LABEL: func.func @straight
func.func @straight(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                    %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>})
    attributes {ascend.kernel} {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  // One flag for both copies: a pipe is done with the first when it is with the second.
  // CHECK: ascend.dma.in
  // CHECK-NEXT: ascend.dma.in
  // CHECK-NEXT: ascend.flag.set <MTE2> to <V> event 0
  // CHECK-NEXT: ascend.flag.wait <MTE2> to <V> event 0
  // CHECK-NEXT: ascend.vec.binary
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.dma.in %x[1, 0] [1, 64] -> %b : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.vec.binary <add> %a, %b -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK-NEXT: ascend.barrier on <V>
  // CHECK-NEXT: ascend.vec.unary
  // INTERLOCK: ascend.vec.binary
  // INTERLOCK-NEXT: ascend.vec.unary
  ascend.vec.unary <exp> %b -> %a, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK-NEXT: ascend.flag.set <V> to <MTE3> event 0
  // CHECK-NEXT: ascend.flag.wait <V> to <MTE3> event 0
  // CHECK-NEXT: ascend.dma.out
  // CHECK-NEXT: return
  ascend.dma.out %a -> %y[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}

// CHECK-LABEL: func.func @scalar
func.func @scalar(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                  %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>})
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  // CHECK: ascend.dma.in
  // CHECK-NEXT: ascend.flag.set <MTE2> to <S> event 0
  // CHECK-NEXT: ascend.flag.wait <MTE2> to <S> event 0
  // CHECK-NEXT: ascend.scalar.read
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  %s = ascend.scalar.read %a[%c0] : memref<1x64xf32, #ub> -> f32
  // The scalar unit has waited, so whatever it issues comes later.
  // CHECK-NEXT: ascend.vec.fill
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  // CHECK: ascend.flag.wait <V> to <MTE3>
  ascend.dma.out %a -> %y[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}

// CHECK-LABEL: func.func @loop
func.func @loop(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  // CHECK-DAG: ascend.flag.set <V> to <MTE2> event 0
  // CHECK-DAG: ascend.flag.set <MTE3> to <V> event 0
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: ascend.flag.wait <V> to <MTE2> event 0
    // CHECK-NEXT: ascend.dma.in
    // CHECK-NEXT: ascend.flag.set <MTE2> to <V> event 0
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    // CHECK-DAG: ascend.flag.wait <MTE2> to <V> event 0
    // CHECK-DAG: ascend.flag.wait <MTE3> to <V> event 0
    // CHECK: ascend.vec.unary
    // CHECK-DAG: ascend.flag.set <V> to <MTE2> event 0
    // CHECK-DAG: ascend.flag.set <V> to <MTE3> event 0
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    // CHECK: ascend.flag.wait <V> to <MTE3> event 0
    // CHECK-NEXT: ascend.dma.out
    // CHECK-NEXT: ascend.flag.set <MTE3> to <V> event 0
    // CHECK-NEXT: }
    ascend.dma.out %b -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  }
  // CHECK-DAG: ascend.flag.wait <V> to <MTE2> event 0
  // CHECK-DAG: ascend.flag.wait <MTE3> to <V> event 0
  // CHECK: return
  return
}

// Without roles, views may be the same memory: what is written in one iteration may
// be read in the next.
// CHECK-LABEL: func.func @aliases
func.func @aliases(%x: memref<?x64xf32, #gm>, %y: memref<?x64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  // CHECK: ascend.flag.set <MTE3> to <MTE2> event 0
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: ascend.flag.wait <MTE3> to <MTE2> event 0
    // CHECK-NEXT: ascend.dma.in
    // CHECK-NEXT: ascend.flag.set <MTE2> to <MTE3> event 0
    // CHECK-NEXT: ascend.flag.wait <MTE2> to <MTE3> event 0
    // CHECK-NEXT: ascend.dma.out
    // CHECK-NEXT: ascend.flag.set <MTE3> to <MTE2> event 0
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    ascend.dma.out %a -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  }
  return
}

// Atomic additions to the same memory need no order; the indices of a gather are read
// by the scalar unit, which waits for the copy before them.
// CHECK-LABEL: func.func @indices
// CHECK-NOT: ascend.barrier
// CHECK: return
func.func @indices(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                   %i: memref<?xi32, #gm> {ascend.role = #ascend.role<in>},
                   %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<inout>})
    attributes {ascend.kernel} {
  %c8 = arith.constant 8 : index
  %a = ascend.buffer at 0 : memref<8x1xi32, #ub>
  %b = ascend.buffer at 256 : memref<8x64xf32, #ub>
  ascend.dma.in %i[0] [8] -> %a : memref<?xi32, #gm> -> memref<8x1xi32, #ub>
  ascend.dma.gather <clamp> %x, %a -> %b, %c8 : memref<?x64xf32, #gm>, memref<8x1xi32, #ub>, memref<8x64xf32, #ub>
  ascend.dma.scatter <trap> %b -> %y, %a, %c8 combine <sum> : memref<8x64xf32, #ub>, memref<?x64xf32, #gm>, memref<8x1xi32, #ub>
  ascend.dma.scatter <trap> %b -> %y, %a, %c8 combine <sum> : memref<8x64xf32, #ub>, memref<?x64xf32, #gm>, memref<8x1xi32, #ub>
  return
}
