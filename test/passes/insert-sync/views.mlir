// Rows of planes: a view inside a loop is a window of the argument.
// RUN: belay-opt %s --ascend-insert-sync --ascend-verify-sync | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @rows
// CHECK-NOT: ascend.barrier on <MTE3>
// CHECK: return
func.func @rows(%y: memref<?x?x64xf32, #gm> {ascend.role = #ascend.role<out>}, %planes: index,
                %rows: index, %s: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  scf.for %p = %c0 to %planes step %c1 {
    %plane = memref.subview %y[%p, 0, 0] [1, %rows, 64] [1, 1, 1] : memref<?x?x64xf32, #gm> to memref<?x64xf32, strided<[64, 1], offset: ?>, #gm>
    scf.for %r = %c0 to %rows step %c1 {
      %row = memref.subview %plane[%r, 0] [1, 64] [1, 1] : memref<?x64xf32, strided<[64, 1], offset: ?>, #gm> to memref<64xf32, strided<[1], offset: ?>, #gm>
      ascend.dma.out %a -> %row[0] [64] : memref<1x64xf32, #ub> -> memref<64xf32, strided<[1], offset: ?>, #gm>
    }
  }
  return
}

// Every second element from one that moves on by one: they overlap.
// CHECK-LABEL: func.func @strided
// CHECK: ascend.barrier on <MTE3>
func.func @strided(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index, %s: f32)
    attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    %part = memref.subview %y[%i] [64] [2] : memref<?xf32, #gm> to memref<64xf32, strided<[2], offset: ?>, #gm>
    ascend.dma.out %a -> %part[0] [64] : memref<1x64xf32, #ub> -> memref<64xf32, strided<[2], offset: ?>, #gm>
  }
  return
}
