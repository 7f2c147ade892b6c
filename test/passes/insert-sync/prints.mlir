// The scalar unit prints what pipes have written, in the order of the source, and is done when what it
// has printed is written anew.
// RUN: belay-opt %s --ascend-schedule --ascend-insert-sync --ascend-verify-sync | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @printed
func.func @printed(%x: memref<?x64xf32, #gm> {ascend.role = #ascend.role<in>},
                   %y: memref<?x64xf32, #gm> {ascend.role = #ascend.role<out>})
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  %b = ascend.buffer at 256 : memref<1x64xf32, #ub>
  ascend.dma.in %x[0, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  // CHECK: ascend.vec.unary <exp>
  // CHECK: ascend.flag.wait <V> to <S>
  // CHECK-NEXT: ascend.scalar.dump {{.*}} line 7
  // CHECK-NEXT: ascend.scalar.dump {{.*}} line 8
  // CHECK: ascend.vec.fill
  ascend.scalar.dump %b[%c0], %c64 line 7 : memref<1x64xf32, #ub>
  ascend.scalar.dump %a[%c0], %c64 line 8 : memref<1x64xf32, #ub>
  %s = arith.constant 1.0 : f32
  ascend.vec.fill %s -> %b, %c64 : f32, memref<1x64xf32, #ub>
  ascend.dma.out %b -> %y[0, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  return
}
