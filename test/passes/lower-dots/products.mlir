// Operands go to L1, sums stay in L0C, products are cut along k, and where there was no
// product at all, zeros are multiplied.
// RUN: belay-opt %s --ascend-lower-dots --canonicalize --cse | FileCheck %s

#gm = #ascend.space<gm>
!view = memref<?x?xf16, #gm>
!left = tensor<?x?xf16, #ascend.capacity<32x64>>
!right = tensor<?x?xf16, #ascend.capacity<64x48>>
!sums = tensor<?x?xf32, #ascend.capacity<32x48>>
!halves = tensor<?x?xf16, #ascend.capacity<32x48>>

func.func @sum(%x: !view, %y: !view, %z: !view, %m: index, %p: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = ascend.splat %f0 [%m, %p] : f32 -> !sums
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero) -> (!sums) {
    %left = arith.subi %n, %k : index
    %w = arith.minsi %left, %c64 : index
    %a = ascend.load %x[0, %k] [%m, %w] : !view -> !left
    %b = ascend.load %y[%k, 0] [%w, %p] : !view -> !right
    %d = ascend.dot %a, %b : !left, !right -> !sums
    %t = arith.addf %s, %d : !sums
    scf.yield %t : !sums
  }
  %h = arith.truncf %sum : !sums to !halves
  ascend.store %h, %z[0, 0] [%m, %p] : !halves -> !view
  return
}

// CHECK-LABEL: func.func @sum
// CHECK: %[[SUMS:.*]] = ascend.buffer : memref<3x32x16xf32, #ascend.space<l0c>>
// CHECK: %[[NONE:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[FIRST:.*]] = %true) -> (i1)
// CHECK: %[[A1:.*]] = ascend.buffer : memref<4x32x16xf16, #ascend.space<l1>>
// CHECK: ascend.cube.in %{{.*}}[0, %[[K]]] [%{{.*}}, %[[W:.*]]] -> %[[A1]]
// CHECK: %[[B1:.*]] = ascend.buffer : memref<3x64x16xf16, #ascend.space<l1>>
// CHECK: ascend.cube.in %{{.*}}[%[[K]], 0] [%[[W]], %{{.*}}] -> %[[B1]]
// CHECK: scf.for %[[K0:.*]] = %c0 to %[[W]] step %c64 iter_args(%[[NOW:.*]] = %[[FIRST]]) -> (i1)
// CHECK: ascend.cube.load %[[A1]][%c0, %[[K0]]]
// CHECK: ascend.cube.load %[[B1]][%[[K0]], %c0]
// CHECK: ascend.cube.mmad %{{.*}}, %{{.*}} -> %[[SUMS]][{{.*}}] init %[[NOW]]
// CHECK: scf.yield %false
// CHECK: scf.if %[[NONE]]
// CHECK: ascend.cube.fill {{.*}}l0a
// CHECK: ascend.cube.fill {{.*}}l0b
// CHECK: ascend.cube.mmad {{.*}} init %true
// CHECK: ascend.cube.out %[[SUMS]] pitch %{{.*}} -> %{{.*}}[0, 0]

// A product that is stored at once needs no loop that carries it; steps of k are as long as
// two of them fit into L0: 64 of 256 columns.
// CHECK-LABEL: func.func @once
// CHECK: scf.for %{{.*}} = %c0 to %c256 step %c64
// CHECK: ascend.buffer : memref<8x4x16x16xf16, #ascend.space<l0a>>
// CHECK: ascend.buffer : memref<4x16x16x16xf16, #ascend.space<l0b>>
// CHECK: ascend.cube.out
func.func @once(%x: memref<128x256xf16, #gm>, %y: memref<256x256xf16, #gm>, %z: memref<128x256xf32, #gm>) {
  %a = ascend.load %x[0, 0] [128, 256] : memref<128x256xf16, #gm> -> tensor<128x256xf16>
  %b = ascend.load %y[0, 0] [256, 256] : memref<256x256xf16, #gm> -> tensor<256x256xf16>
  %d = ascend.dot %a, %b : tensor<128x256xf16>, tensor<256x256xf16> -> tensor<128x256xf32>
  ascend.store %d, %z[0, 0] [128, 256] : tensor<128x256xf32> -> memref<128x256xf32, #gm>
  return
}

// Operands of transposed views lie in L1 as they do in memory, and are transposed on the
// way to L0: the left one by the hardware, the right one by not being so.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[A1:.*]] = ascend.buffer : memref<2x64x16xf16, #ascend.space<l1>>
// CHECK: ascend.cube.in %{{.*}}[8, 4] [64, 32] -> %[[A1]]
// CHECK: %[[B1:.*]] = ascend.buffer : memref<4x48x16xf16, #ascend.space<l1>>
// CHECK: ascend.cube.in %{{.*}}[0, 16] [48, 64] -> %[[B1]]
// CHECK: ascend.cube.load %[[A1]][%[[K:.*]], %c0] [%c64, %c32] transposed -> %{{.*}}l0a
// CHECK: ascend.cube.load %[[B1]][%c0, %[[K]]] [%c48, %c64] transposed -> %{{.*}}l0b
// CHECK: ascend.cube.mmad {{.*}}[%c32, %c48, %c64] init %{{.*}} :
!turned = memref<?x?xf16, strided<[1, ?]>, #gm>
func.func @transposed(%x: !view, %y: !view, %z: memref<32x48xf32, #gm>) {
  %s = memref.transpose %x (i, j) -> (j, i) : !view to !turned
  %t = memref.transpose %y (i, j) -> (j, i) : !view to !turned
  %a = ascend.load %s[4, 8] [32, 64] : !turned -> tensor<32x64xf16>
  %b = ascend.load %t[16, 0] [64, 48] : !turned -> tensor<64x48xf16>
  %d = ascend.dot %a, %b : tensor<32x64xf16>, tensor<64x48xf16> -> tensor<32x48xf32>
  ascend.store %d, %z[0, 0] [32, 48] : tensor<32x48xf32> -> memref<32x48xf32, #gm>
  return
}

// Floats come transposed in pairs of fractals, which the product is told.
// CHECK-LABEL: func.func @floats
// CHECK: ascend.cube.load {{.*}} transposed -> %{{.*}}l0a
// CHECK: ascend.cube.mmad {{.*}} init %{{.*}} align_k :
func.func @floats(%x: memref<40x32xf32, #gm>, %y: memref<40x48xf32, #gm>, %z: memref<32x48xf32, #gm>) {
  %s = memref.transpose %x (i, j) -> (j, i) : memref<40x32xf32, #gm> to memref<32x40xf32, strided<[1, 32]>, #gm>
  %a = ascend.load %s[0, 0] [32, 40] : memref<32x40xf32, strided<[1, 32]>, #gm> -> tensor<32x40xf32>
  %b = ascend.load %y[0, 0] [40, 48] : memref<40x48xf32, #gm> -> tensor<40x48xf32>
  %d = ascend.dot %a, %b : tensor<32x40xf32>, tensor<40x48xf32> -> tensor<32x48xf32>
  ascend.store %d, %z[0, 0] [32, 48] combine <sum> : tensor<32x48xf32> -> memref<32x48xf32, #gm>
  return
}
// CHECK: ascend.cube.out {{.*}} combine <sum>

// Bytes are transposed in squares of 32: a right operand that is, has n in such.
// CHECK-LABEL: func.func @bytes
// CHECK: ascend.buffer : memref<2x16x16xi32, #ascend.space<l0c>>
// CHECK: ascend.cube.load {{.*}}[%c64, %c32] -> %{{.*}}l0b
// CHECK: ascend.cube.mmad {{.*}}[%c16, %c32, %c64]
func.func @bytes(%x: memref<16x64xi8, #gm>, %y: memref<64x8xi8, #gm>, %z: memref<16x8xi32, #gm>) {
  %a = ascend.load %x[0, 0] [16, 64] : memref<16x64xi8, #gm> -> tensor<16x64xi8>
  %b = ascend.load %y[0, 0] [64, 8] : memref<64x8xi8, #gm> -> tensor<64x8xi8>
  %d = ascend.dot %a, %b : tensor<16x64xi8>, tensor<64x8xi8> -> tensor<16x8xi32>
  ascend.store %d, %z[0, 0] [16, 8] : tensor<16x8xi32> -> memref<16x8xi32, #gm>
  return
}

// Of two products that are added, the first makes the sum and the second is added to it.
// CHECK-LABEL: func.func @two
// CHECK: %[[SUMS:.*]] = ascend.buffer : memref<2x32x16xf32, #ascend.space<l0c>>
// CHECK: ascend.cube.mmad {{.*}} -> %[[SUMS]][{{.*}}] init %true
// CHECK: ascend.cube.mmad {{.*}} -> %[[SUMS]][{{.*}}] init %false
// CHECK: ascend.cube.out %[[SUMS]]
func.func @two(%x: memref<32x256xf16, #gm>, %y: memref<256x32xf16, #gm>, %z: memref<32x32xf32, #gm>) {
  %a = ascend.load %x[0, 0] [32, 256] : memref<32x256xf16, #gm> -> tensor<32x256xf16>
  %b = ascend.load %y[0, 0] [256, 32] : memref<256x32xf16, #gm> -> tensor<256x32xf16>
  %c = ascend.load %y[0, 0] [256, 32] : memref<256x32xf16, #gm> -> tensor<256x32xf16>
  %p = ascend.dot %a, %b : tensor<32x256xf16>, tensor<256x32xf16> -> tensor<32x32xf32>
  %q = ascend.dot %a, %c : tensor<32x256xf16>, tensor<256x32xf16> -> tensor<32x32xf32>
  %s = arith.addf %p, %q : tensor<32x32xf32>
  ascend.store %s, %z[0, 0] [32, 32] : tensor<32x32xf32> -> memref<32x32xf32, #gm>
  return
}
