// Flags stand where both ways pass, and what is in different branches never overlaps.
// RUN: belay-opt %s --ascend-insert-sync --ascend-verify-sync | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @branch
func.func @branch(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                  %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %c: i1)
    attributes {ascend.kernel} {
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  // CHECK: ascend.dma.in
  // CHECK-NEXT: ascend.flag.set <MTE2> to <V> event 0
  // CHECK-NEXT: ascend.flag.wait <MTE2> to <V> event 0
  // CHECK-NEXT: scf.if
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  scf.if %c {
    // CHECK-NEXT: ascend.vec.unary <exp>
    // CHECK-NEXT: } else {
    // CHECK-NEXT: ascend.vec.unary <ln>
    // CHECK-NEXT: }
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  } else {
    ascend.vec.unary <ln> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  }
  // CHECK-NEXT: ascend.flag.set <V> to <MTE3> event 0
  // CHECK-NEXT: ascend.flag.wait <V> to <MTE3> event 0
  // CHECK-NEXT: ascend.dma.out
  ascend.dma.out %b -> %y[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}

// A barrier across cores: all that came before is finished.
// CHECK-LABEL: func.func @meet
func.func @meet(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<inout>})
    attributes {ascend.kernel} {
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  // CHECK: ascend.dma.in
  // CHECK-NEXT: ascend.sync_cores
  // CHECK-NEXT: ascend.dma.out
  // CHECK-NEXT: ascend.sync_cores
  // CHECK-NEXT: ascend.dma.in
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.sync_cores
  ascend.dma.out %a -> %x[1, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  ascend.sync_cores
  ascend.dma.in %x[2, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  return
}
