// Tiles that are printed: a row and a column at once, others row by row.
// RUN: belay-opt %s --pass-pipeline='builtin.module(func.func(ascend-lower-tiles,canonicalize,cse))' | FileCheck %s

#gm = #ascend.space<gm>

// What nothing else reads is loaded and printed all the same.
// CHECK-LABEL: @row
func.func @row(%x: memref<?xf32, #gm>, %n: index) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[LIMIT:.*]] = arith.constant 64 : index
  // CHECK: ascend.dma.in
  // CHECK: %[[COUNT:.*]] = arith.minsi %{{.*}}, %[[LIMIT]]
  // CHECK: ascend.scalar.dump %{{.*}}[%[[ZERO]]], %[[COUNT]] line {{[0-9]+}} : memref<1x128xf32
  %t = ascend.load %x[0] [%n] : memref<?xf32, #gm> -> tensor<1x?xf32, #ascend.capacity<1x128>>
  ascend.print %t rows 8 columns 64 : tensor<1x?xf32, #ascend.capacity<1x128>>
  return
}

// Rows begin at multiples of 32 bytes: 12 elements of 4 bytes take 16.
// CHECK-LABEL: @rows
func.func @rows(%x: memref<?x12xf32, #gm>) {
  // CHECK-DAG: %[[ROWS:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[PITCH:.*]] = arith.constant 16 : index
  // CHECK-DAG: %[[COUNT:.*]] = arith.constant 12 : index
  // CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %[[ROWS]] step
  // CHECK: %[[START:.*]] = arith.muli %[[ROW]], %[[PITCH]]
  // CHECK: ascend.scalar.dump %{{.*}}[%[[START]]], %[[COUNT]] line
  %t = ascend.load %x[0, 0] [8, 12] : memref<?x12xf32, #gm> -> tensor<8x12xf32>
  ascend.print %t rows 2 columns 64 : tensor<8x12xf32>
  return
}

// CHECK-LABEL: @column
func.func @column(%x: memref<?xi32, #gm>) {
  // CHECK: %[[COUNT:.*]] = arith.constant 3 : index
  // CHECK-NOT: scf.for
  // CHECK: ascend.scalar.dump %{{.*}}[%{{.*}}], %[[COUNT]] line
  %t = ascend.load %x[0] [16] : memref<?xi32, #gm> -> tensor<16x1xi32>
  ascend.print %t rows 8 columns 3 : tensor<16x1xi32>
  return
}
