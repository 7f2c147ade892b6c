// RUN: belay-opt %s --split-input-file --ascend-expand-instructions | FileCheck %s
//
// Elements that do not lie side by side in global memory get a block each.

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>
!apart = memref<?x100xf16, strided<[300, 3]>, #gm>

// The vector unit fills blocks, some 64 of them at once; MTE3, for which all
// that came before has been waited, hands over.
// CHECK-LABEL: @halves
// CHECK: scf.for %[[C:.*]] = %{{.*}} to %{{.*}} step %c64
// CHECK: ascend.flag.set <MTE3> to <V> event 5
// CHECK-NEXT: ascend.flag.wait <MTE3> to <V> event 5
// CHECK: ascend.rep.brcb
// CHECK: ascend.flag.set <V> to <MTE3> event 5
// CHECK-NEXT: ascend.flag.wait <V> to <MTE3> event 5
// CHECK: ascend.copy_pad.out
// CHECK-NOT: ascend.scalar.read
// CHECK: return
func.func @halves(%x: !apart, %a: memref<4x128xf16, #ub>, %w: memref<1x1024xf16, #ub>,
                  %n: index, %k: index) {
  ascend.dma.out %a -> %x[0, 0] [%n, %k] work %w : memref<1x1024xf16, #ub>
    : memref<4x128xf16, #ub> -> !apart
  return
}

// -----

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>
!apart = memref<?x100xi8, strided<[300, 3]>, #gm>

// No instruction fills a block with a byte: the scalar unit copies these.
// CHECK-LABEL: @bytes
// CHECK: ascend.flag.set <MTE3> to <S> event 5
// CHECK-NOT: ascend.rep.brcb
// CHECK: ascend.scalar.read
// CHECK: ascend.flag.set <S> to <MTE3> event 5
// CHECK: ascend.copy_pad.out
func.func @bytes(%x: !apart, %a: memref<4x128xi8, #ub>, %w: memref<1x256xi8, #ub>,
                 %n: index, %k: index) {
  ascend.dma.out %a -> %x[0, 0] [%n, %k] work %w : memref<1x256xi8, #ub>
    : memref<4x128xi8, #ub> -> !apart
  return
}
