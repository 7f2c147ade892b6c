// Tiles by number: quotient and remainder say which, and no two iterations have the same.
// RUN: belay-opt %s --ascend-insert-sync --ascend-verify-sync | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @apart
// CHECK-NOT: ascend.barrier on <MTE3>
// CHECK: return
func.func @apart(%y: memref<?x?xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index,
                 %across: index, %s: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.divsi %i, %across : index
    %tile = arith.remsi %i, %across : index
    %col = arith.muli %tile, %c64 : index
    ascend.dma.out %a -> %y[%row, %col] [1, 64] : memref<1x64xf32, #ub> -> memref<?x?xf32, #gm>
  }
  return
}

// Tiles that are wider than they are apart may overlap.
// CHECK-LABEL: func.func @wider
// CHECK: ascend.barrier on <MTE3>
func.func @wider(%y: memref<?x?xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index,
                 %across: index, %s: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.divsi %i, %across : index
    %tile = arith.remsi %i, %across : index
    %col = arith.muli %tile, %c32 : index
    ascend.dma.out %a -> %y[%row, %col] [1, 64] : memref<1x64xf32, #ub> -> memref<?x?xf32, #gm>
  }
  return
}

// So may those that are divided by different numbers.
// CHECK-LABEL: func.func @mixed
// CHECK: ascend.barrier on <MTE3>
func.func @mixed(%y: memref<?x?xf32, #gm> {ascend.role = #ascend.role<out>}, %n: index,
                 %across: index, %other: index, %s: f32) attributes {ascend.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = ascend.buffer at 0 : memref<1x64xf32, #ub>
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  scf.for %i = %c0 to %n step %c1 {
    %row = arith.divsi %i, %other : index
    %tile = arith.remsi %i, %across : index
    %col = arith.muli %tile, %c64 : index
    ascend.dma.out %a -> %y[%row, %col] [1, 64] : memref<1x64xf32, #ub> -> memref<?x?xf32, #gm>
  }
  return
}
