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
