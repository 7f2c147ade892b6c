// Copies where the engine takes whole blocks of 32 bytes only.
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend310P3 --split-input-file | FileCheck %s

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// 96 of 100 elements are whole blocks.
// CHECK-LABEL: func.func @rows_in
// CHECK: scf.for %[[R:.*]] =
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[R]]
// CHECK: %[[TO:.*]] = ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: ascend.copy_blocks.in %{{.*}}[%[[ROW]], 0] [1, 96] -> %[[TO]] count %c96
// CHECK: ascend.flag.wait <MTE2> to <S>
// CHECK-NOT: ascend.cache.clean
// CHECK: scf.for
// CHECK: scf.for %[[C:.*]] = %c96{{.*}} to %c100
// CHECK: ascend.gm.read %{{.*}}[%{{.*}}, %[[C]]]
// CHECK: ascend.scalar.write
// CHECK: ascend.flag.wait <S> to <MTE2>
func.func @rows_in(%x: memref<?x100xf32, #gm> {ascend.role = #ascend.role<in>},
                   %i: index, %n: index) {
  %a = ascend.buffer : memref<8x104xf32, #ub>
  ascend.dma.in %x[%i, 0] [%n, 100] -> %a
    : memref<?x100xf32, #gm> -> memref<8x104xf32, #ub>
  return
}

// -----

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// The kernel writes to what it reads; the rest of the block is padded.
// CHECK-LABEL: func.func @padded_in
// CHECK: ascend.flag.wait <MTE2> to <V> event 5
// CHECK: ascend.vec.fill %{{.*}} -> %{{.*}}, %c64
// CHECK: ascend.flag.wait <V> to <MTE2> event 5
// CHECK: ascend.copy_blocks.in
// CHECK: ascend.cache.clean all %{{.*}}[%{{.*}}] [64]
// CHECK: ascend.gm.read
// CHECK: scf.for %[[C:.*]] = %c20{{.*}} to %c24
// CHECK: ascend.scalar.write %{{.*}}, %{{.*}}[%[[C]]]
func.func @padded_in(%x: memref<?xf32, #gm> {ascend.role = #ascend.role<inout>},
                     %i: index, %pad: f32) {
  %a = ascend.buffer : memref<1x64xf32, #ub>
  ascend.dma.in %x[%i] [20] -> %a pad(%pad : f32)
    : memref<?xf32, #gm> -> memref<1x64xf32, #ub>
  return
}

// -----

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// The last block ends where the row ends, or the row is shorter than a block.
// CHECK-LABEL: func.func @row_out
// CHECK: %[[WHOLE:.*]] = arith.muli
// CHECK: scf.if
// CHECK: ascend.copy_blocks.out %{{.*}} -> %{{.*}}[%{{.*}}] [%[[WHOLE]]] count %[[WHOLE]]
// CHECK: scf.if
// CHECK: ascend.flag.wait <MTE3> to <S>
// CHECK: scf.if
// CHECK: %[[START:.*]] = arith.subi %{{.*}}, %c8
// CHECK: scf.for {{.*}} to %c8
// CHECK: ascend.scalar.read
// CHECK: ascend.scalar.write %{{.*}}, %[[WORK:.*]][
// CHECK: ascend.flag.wait <S> to <MTE3>
// CHECK: ascend.copy_blocks.out %[[WORK]] -> %{{.*}} [8] count %c8
// CHECK: ascend.flag.wait <MTE3> to <S>
// CHECK: } else {
// CHECK: ascend.gm.write
// CHECK: ascend.cache.clean %
// CHECK: ascend.flag.wait <S> to <MTE3>
func.func @row_out(%x: memref<?xf32, #gm>, %i: index, %n: index) {
  %a = ascend.buffer : memref<1x64xf32, #ub>
  %w = ascend.buffer : memref<1x8xf32, #ub>
  ascend.dma.out %a -> %x[%i] [%n] work %w : memref<1x8xf32, #ub>
    : memref<1x64xf32, #ub> -> memref<?xf32, #gm>
  return
}

// -----

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// What has been added already is added as nothing: 12 elements are a block and
// 4, so that 4 of the last block are.
// CHECK-LABEL: func.func @added
// CHECK: ascend.copy_blocks.out {{.*}} [8] count %c8{{.*}} combine <sum>
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c4
// CHECK: ascend.scalar.write %cst
// CHECK: scf.for {{.*}} = %c4{{.*}} to %c8
// CHECK: ascend.scalar.read
// CHECK: ascend.copy_blocks.out {{.*}} combine <sum>
func.func @added(%x: memref<?xf32, #gm>, %i: index) {
  %a = ascend.buffer : memref<1x16xf32, #ub>
  %w = ascend.buffer : memref<1x8xf32, #ub>
  ascend.dma.out %a -> %x[%i] [12] combine <sum> work %w : memref<1x8xf32, #ub>
    : memref<1x16xf32, #ub> -> memref<?xf32, #gm>
  return
}

// -----

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// Rows of less than a block are read, combined and written by the scalar unit.
// CHECK-LABEL: func.func @scattered
// CHECK: ascend.guard
// CHECK-NOT: ascend.copy_blocks
// CHECK: ascend.scalar.read
// CHECK: ascend.cache.clean %
// CHECK: %[[OLD:.*]] = ascend.gm.read
// CHECK: %[[SUM:.*]] = arith.addf %[[OLD]]
// CHECK: ascend.gm.write %[[SUM]]
// CHECK: ascend.cache.clean %
func.func @scattered(%x: memref<?x3xf32, #gm>, %n: index) {
  %a = ascend.buffer : memref<4x8xf32, #ub>
  %ids = ascend.buffer : memref<4x1xi32, #ub>
  ascend.dma.scatter <trap> %a -> %x, %ids, %n combine <sum>
    : memref<4x8xf32, #ub>, memref<?x3xf32, #gm>, memref<4x1xi32, #ub>
  return
}

// -----

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// Rows that begin 16 blocks apart go together, what is left of each does not: 12 of 13 blocks.
// CHECK-LABEL: func.func @rows_together
// CHECK-NOT: ascend.copy_blocks.in
// CHECK: ascend.copy_rows.in %{{.*}}[%{{.*}}, 0] [%[[N:.*]], 96] -> %{{.*}} rows %[[N]] blocks %c12{{.*}} gm_gap %c4{{.*}} ub_gap %c1{{(_[0-9]+)?}} :
// CHECK: ascend.gm.read
func.func @rows_together(%x: memref<?x128xf32, #gm> {ascend.role = #ascend.role<in>},
                         %i: index, %n: index) {
  %a = ascend.buffer : memref<8x104xf32, #ub>
  ascend.dma.in %x[%i, 0] [%n, 100] -> %a
    : memref<?x128xf32, #gm> -> memref<8x104xf32, #ub>
  return
}

// -----

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// How far rows are apart is known at the launch. A field has 16 bits.
// CHECK-LABEL: func.func @rows_of_any_length
// CHECK: %[[COLS:.*]] = memref.dim %{{.*}}, %c1
// CHECK: %[[APART:.*]] = arith.divsi %[[COLS]], %c16
// CHECK: %[[GAP:.*]] = arith.subi %[[APART]], %c2
// CHECK: %[[BACK:.*]] = arith.muli {{.*}}, %c16
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[BACK]], %[[COLS]]
// CHECK: %[[MOST:.*]] = arith.cmpi sle, %[[GAP]], %c65535
// CHECK: scf.if
// CHECK: ascend.copy_rows.out %{{.*}} -> %{{.*}} [%[[N:.*]], 32] rows %[[N]] blocks %c2{{.*}} gm_gap %[[GAP]] ub_gap %c0{{(_[0-9]+)?}} combine <sum>
// CHECK: } else {
// CHECK: scf.for
// CHECK: ascend.copy_blocks.out
func.func @rows_of_any_length(%x: memref<?x?xf16, #gm>, %n: index) {
  %a = ascend.buffer : memref<8x32xf16, #ub>
  ascend.dma.out %a -> %x[0, 0] [%n, 32] combine <sum>
    : memref<8x32xf16, #ub> -> memref<?x?xf16, #gm>
  return
}

// -----

#ub = #ascend.space<ub>
#gm = #ascend.space<gm>

// More rows than an instruction takes.
// CHECK-LABEL: func.func @many_rows
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} step %c4095
// CHECK: ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: ascend.copy_rows.in
func.func @many_rows(%x: memref<?x8xf32, #gm> {ascend.role = #ascend.role<in>}, %n: index) {
  %a = ascend.buffer : memref<5000x8xf32, #ub>
  ascend.dma.in %x[0, 0] [%n, 8] -> %a
    : memref<?x8xf32, #gm> -> memref<5000x8xf32, #ub>
  return
}
