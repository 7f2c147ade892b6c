// Where one core has both units: operands go through the unified buffer, sums come back.
// RUN: belay-opt %s --ascend-lower-dots --canonicalize | FileCheck %s

#gm = #ascend.space<gm>
module attributes {ascend.target = #ascend.target<"Ascend310P3">} {
// A tile that the vector unit computes is an operand; what it computes of a product is a tile.
// CHECK-LABEL: func.func @computed
// CHECK: %[[B:.*]] = ascend.buffer : memref<1x16x16xf16, #ascend.space<l1>>
// CHECK: %[[Y:.*]] = ascend.load %{{.*}}[0, 0] [16, 16]
// CHECK: ascend.to_l1 %[[Y]] -> %[[B]] row
// CHECK: %[[E:.*]] = math.exp
// CHECK: ascend.to_l1 %[[E]] -> %{{.*}} row
// CHECK: ascend.cube.load {{.*}} one_core : {{.*}}l0a
// CHECK: ascend.cube.load {{.*}} one_core : {{.*}}l0b
// CHECK: ascend.cube.mmad {{.*}} one_core
// CHECK: %[[S:.*]] = ascend.from_l0c %{{.*}} row %{{.*}} pitch
// CHECK: %[[A:.*]] = math.absf %[[S]]
// CHECK: ascend.store %[[A]]
func.func @computed(%x: memref<16x16xf16, #gm>, %y: memref<16x16xf16, #gm>, %z: memref<16x16xf32, #gm>) {
  %b = ascend.load %y[0, 0] [16, 16] : memref<16x16xf16, #gm> -> tensor<16x16xf16>
  %a = ascend.load %x[0, 0] [16, 16] : memref<16x16xf16, #gm> -> tensor<16x16xf16>
  %e = math.exp %a : tensor<16x16xf16>
  %d = ascend.dot %e, %b : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
  %r = math.absf %d : tensor<16x16xf32>
  ascend.store %r, %z[0, 0] [16, 16] : tensor<16x16xf32> -> memref<16x16xf32, #gm>
  return
}

// Rows that do not fill fractals: zeros are beneath them. What is larger than its part of
// the unified buffer goes a few rows at a time.
// CHECK-LABEL: func.func @large
// CHECK: scf.if
// CHECK-NEXT: ascend.cube.fill {{.*}} one_core : memref<16x128x16xf16, #ascend.space<l1>>
// CHECK: scf.for %[[R:.*]] = %{{.*}} to %{{.*}} step %c64
// CHECK: ascend.load {{.*}} -> tensor<?x256xf16, #ascend.capacity<64x256>>
// CHECK: ascend.to_l1 %{{.*}} -> %{{.*}} row %[[R]]
// CHECK: ascend.cube.mmad
// CHECK: scf.for %[[S:.*]] = %{{.*}} to %{{.*}} step %c16
// CHECK: ascend.from_l0c %{{.*}} row %[[S]] pitch
// CHECK: arith.truncf
// CHECK: ascend.store
func.func @large(%x: memref<?x256xf16, #gm>, %y: memref<256x256xf16, #gm>, %z: memref<?x256xf16, #gm>, %n: index) {
  %a = ascend.load %x[0, 0] [%n, 256] : memref<?x256xf16, #gm> -> tensor<?x256xf16, #ascend.capacity<128x256>>
  %b = ascend.load %y[0, 0] [256, 256] : memref<256x256xf16, #gm> -> tensor<256x256xf16>
  %d = ascend.dot %a, %b : tensor<?x256xf16, #ascend.capacity<128x256>>, tensor<256x256xf16> -> tensor<?x256xf32, #ascend.capacity<128x256>>
  %h = arith.truncf %d : tensor<?x256xf32, #ascend.capacity<128x256>> to tensor<?x256xf16, #ascend.capacity<128x256>>
  ascend.store %h, %z[0, 0] [%n, 256] : tensor<?x256xf16, #ascend.capacity<128x256>> -> memref<?x256xf16, #gm>
  return
}

// A column is the row that lies in memory alike: L0C has the transpose of the product.
// CHECK-LABEL: func.func @column
// CHECK: %[[ROW:.*]] = ascend.load {{.*}} [1, 16] : {{.*}} -> tensor<1x16xf16>
// CHECK: ascend.to_l1 %[[ROW]] -> %[[V:.*]] row
// CHECK: ascend.cube.load %[[V]]{{.*}}l0a
// CHECK: %[[S:.*]] = ascend.from_l0c {{.*}} tensor<1x64xf32>
// CHECK: %[[C:.*]] = ascend.transpose %[[S]] : tensor<1x64xf32>
// CHECK: ascend.store %[[C]]
func.func @column(%x: memref<64x16xf16, #gm>, %y: memref<16x1xf16, #gm>, %z: memref<64x1xf32, #gm>) {
  %a = ascend.load %x[0, 0] [64, 16] : memref<64x16xf16, #gm> -> tensor<64x16xf16>
  %b = ascend.load %y[0, 0] [16, 1] : memref<16x1xf16, #gm> -> tensor<16x1xf16>
  %d = ascend.dot %a, %b : tensor<64x16xf16>, tensor<16x1xf16> -> tensor<64x1xf32>
  ascend.store %d, %z[0, 0] [64, 1] : tensor<64x1xf32> -> memref<64x1xf32, #gm>
  return
}
}
