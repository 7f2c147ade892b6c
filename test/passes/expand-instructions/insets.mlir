// Copies to a row and a column of a buffer: they begin with a block, and pad up to
// the column.
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend910B3 | FileCheck %s
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend310P3 | FileCheck %s --check-prefix=BLOCKS

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// CHECK-LABEL: func.func @at_place
// CHECK: %[[BLOCK:.*]] = arith.divsi %[[COL:.*]], %c8
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c8
// CHECK: %[[LEFT:.*]] = arith.subi %[[COL]], %[[FIRST]]
// CHECK: scf.if
// CHECK: scf.if
// CHECK: %[[TO:.*]] = ascend.slice %{{.*}}[%{{.*}}, %[[FIRST]]]
// CHECK: ascend.copy_pad.in %{{.*}} -> %[[TO]] {{.*}} pad %{{.*}} : f32 left %[[LEFT]]

// Where the engine takes whole blocks only, the scalar unit copies.
// BLOCKS-LABEL: func.func @at_place
// BLOCKS-NOT: ascend.copy_blocks.in
// BLOCKS: ascend.gm.read
// BLOCKS: ascend.scalar.write
func.func @at_place(%x: memref<?x?xf32, #gm> {ascend.role = #ascend.role<in>},
                    %i: index, %n: index, %row: index, %col: index, %s: f32) {
  %a = ascend.buffer : memref<16x64xf32, #ub>
  ascend.dma.in %x[%i, %i] [%n, %n] -> %a pad(%s : f32) at [%row, %col]
    : memref<?x?xf32, #gm> -> memref<16x64xf32, #ub>
  return
}
