// What an index means that names no column is arithmetic on indices.
// RUN: belay-opt %s --ascend-lower-tiles=soc=Ascend910B3 | FileCheck %s

#gm = #ascend.space<gm>
!row = tensor<1x1024xf32>
!ids = tensor<8x64xi32>

// The gather itself takes the nearest of all columns of a row.
// CHECK-LABEL: func.func @clamp
// CHECK-NOT: ascend.vec.scalar
// CHECK: ascend.vec.take %[[ROW:[0-9]+]], %[[IDS:[0-9]+]] -> %{{.*}}[%c8{{.*}}, %c64{{.*}}] work %{{.*}} : memref<1x1024xf32
func.func @clamp(%x: memref<1024xf32, #gm>, %i: memref<8x64xi32, #gm>, %y: memref<8x64xf32, #gm>) {
  %t = ascend.load %x[0] [1024] : memref<1024xf32, #gm> -> !row
  %ids = ascend.load %i[0, 0] [8, 64] : memref<8x64xi32, #gm> -> !ids
  %r = ascend.take <clamp> %t, %ids : !row, !ids
  ascend.store %r, %y[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
  return
}

// Of columns that may be fewer than there is space for, the last one is said.
// CHECK-LABEL: func.func @clamp_some
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: ascend.vec.scalar <max>
// CHECK: ascend.vec.scalar <min>
// CHECK: ascend.vec.take
func.func @clamp_some(%x: memref<1024xf32, #gm>, %i: memref<8x64xi32, #gm>, %y: memref<8x64xf32, #gm>, %n: index) {
  %t = ascend.load %x[0] [%n] : memref<1024xf32, #gm> -> tensor<1x?xf32, #ascend.capacity<1x1024>>
  %ids = ascend.load %i[0, 0] [8, 64] : memref<8x64xi32, #gm> -> !ids
  %r = ascend.take <clamp> %t, %ids : tensor<1x?xf32, #ascend.capacity<1x1024>>, !ids
  ascend.store %r, %y[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
  return
}

// An index that is not its nearest column gives 0.
// CHECK-LABEL: func.func @zero
// CHECK: ascend.vec.scalar <max> %[[IDS:[0-9]+]]
// CHECK: ascend.vec.scalar <min> %{{.*}} -> %[[NEAR:[0-9]+]]
// CHECK: ascend.vec.compare <eq> %[[NEAR]], %[[IDS]] -> %[[SAME:[0-9]+]]
// CHECK: ascend.vec.take by_row %{{.*}}, %[[NEAR]] -> %[[TAKEN:[0-9]+]]
// CHECK: ascend.vec.select %[[SAME]], %[[TAKEN]]
func.func @zero(%x: memref<8x512xf32, #gm>, %i: memref<8x64xi32, #gm>, %y: memref<8x64xf32, #gm>) {
  %t = ascend.load %x[0, 0] [8, 512] : memref<8x512xf32, #gm> -> tensor<8x512xf32>
  %ids = ascend.load %i[0, 0] [8, 64] : memref<8x64xi32, #gm> -> !ids
  %r = ascend.take <zero> %t, %ids : tensor<8x512xf32>, !ids
  ascend.store %r, %y[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
  return
}

// All are where they should be before anything is gathered.
// CHECK-LABEL: func.func @trap
// CHECK: ascend.vec.binary <sub>
// CHECK: ascend.vec.cast <rint>
// CHECK: ascend.vec.unary <abs>
// CHECK: %[[FARTHEST:.*]] = ascend.scalar.read
// CHECK: %[[OK:.*]] = arith.cmpf ole, %[[FARTHEST]]
// CHECK: ascend.guard %[[OK]], "local-out-of-bounds", "0 <= index && index < columns"
// CHECK: ascend.vec.take
func.func @trap(%x: memref<1024xf32, #gm>, %i: memref<8x64xi32, #gm>, %y: memref<8x64xf32, #gm>) {
  %t = ascend.load %x[0] [1024] : memref<1024xf32, #gm> -> !row
  %ids = ascend.load %i[0, 0] [8, 64] : memref<8x64xi32, #gm> -> !ids
  %r = ascend.take <trap> %t, %ids : !row, !ids
  ascend.store %r, %y[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
  return
}

// One index for each row: all rows at once, from where each begins. That is
// found once, before the loop.
// CHECK-LABEL: func.func @column
// CHECK: ascend.vec.iota %c0_i32{{.*}} -> %[[STARTS:[0-9]+]], %c16
// CHECK: ascend.vec.scalar <mul> %[[STARTS]], %c104_i32 -> %[[STARTS]], %c16
// CHECK: scf.for
// CHECK: ascend.vec.binary <add> %{{.*}}, %[[STARTS]] -> %[[PLACES:[0-9]+]]
// CHECK: ascend.vec.take %{{[0-9]+}}, %[[PLACES]] -> %{{.*}} : memref<16x100xf32
func.func @column(%x: memref<?x100xf32, #gm>, %i: memref<?xi32, #gm>, %y: memref<?xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %r = %c0 to %n step %c16 {
    %t = ascend.load %x[%r, 0] [16, 100] : memref<?x100xf32, #gm> -> tensor<16x100xf32>
    %ids = ascend.load %i[%r] [16] : memref<?xi32, #gm> -> tensor<16x1xi32>
    %e = ascend.take <clamp> %t, %ids : tensor<16x100xf32>, tensor<16x1xi32>
    ascend.store %e, %y[%r] [16] : tensor<16x1xf32> -> memref<?xf32, #gm>
  }
  return
}
