// Where events run out, the two pipes that have too few wait for each other; all pipes wait only
// where that does not do. The kernel is right either way.
// RUN: belay-opt %s --ascend-insert-sync=events=1 --ascend-verify-sync --verify-diagnostics | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @many
func.func @many(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>})
    attributes {ascend.kernel} {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  %c = ascend.buffer at 512 : memref<1x64xf32, #ub>
  // CHECK: ascend.dma.in
  // CHECK-NEXT: ascend.flag.set <MTE2> to <V> event 0
  // CHECK-NEXT: ascend.flag.wait <MTE2> to <V> event 0
  // CHECK-NEXT: ascend.vec.unary
  // CHECK-NEXT: ascend.flag.set <V> to <MTE2> event 0
  // CHECK-NEXT: ascend.flag.wait <V> to <MTE2> event 0
  // CHECK-NEXT: ascend.dma.in
  // CHECK-NEXT: ascend.flag.set <MTE2> to <V> event 0
  // CHECK-NOT: ascend.barrier
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.vec.unary <exp> %a -> %c, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // expected-remark @+1 {{no event from MTE2 to V is left; MTE2 waits here for V to share one}}
  ascend.dma.in %x[1, 0] [1, 64] -> %b : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.vec.unary <exp> %b -> %a, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  ascend.dma.out %a -> %y[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}

// Two slots need two events; with one, iterations of the two pipes no longer overlap.
// CHECK-LABEL: func.func @slots
// CHECK-NOT: ascend.barrier
// CHECK-NOT: event 1
// CHECK: return
func.func @slots(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                 %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%slot = %c0) -> (index) {
    %a = ascend.buffer at 0 2 slots [%slot] : memref<1x64xf32, #ub>
    %b = ascend.buffer at 512 2 slots [%slot] : memref<1x64xf32, #ub>
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    // expected-remark @+1 {{no event from MTE2 to V is left; both slots use one}}
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    // expected-remark @+1 {{no event from V to MTE3 is left; both slots use one}}
    ascend.dma.out %b -> %y[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    %next = arith.subi %c1, %slot : index
    scf.yield %next : index
  }
  return
}

// The scalar unit's only event is for what instructions need inside.
// CHECK-LABEL: func.func @none
// CHECK: ascend.dma.in
// CHECK-NEXT: ascend.barrier{{$}}
// CHECK-NEXT: ascend.scalar.read
func.func @none(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>})
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  // expected-remark @+1 {{no event from MTE2 to S is left; all pipes wait here instead}}
  %s = ascend.scalar.read %a[%c0] : memref<1x64xf32, #ub> -> f32
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  ascend.dma.out %a -> %y[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}
