// Operations of the cube core are printed as they are parsed.
// RUN: belay-opt %s | belay-opt | FileCheck %s

#gm = #ascend.space<gm>
!view = memref<?x?xf16, #gm>
!l1 = memref<16x128x16xf16, #ascend.space<l1>>
!l0a = memref<8x4x16x16xf16, #ascend.space<l0a>>
!l0b = memref<4x16x16x16xf16, #ascend.space<l0b>>
!l0c = memref<16x128x16xf32, #ascend.space<l0c>>

// CHECK-LABEL: func.func @dot
// CHECK: ascend.dot %{{.*}}, %{{.*}} : tensor<?x64xf16, #ascend.capacity<128x64>>, tensor<64x32xf16> -> tensor<?x32xf32, #ascend.capacity<128x32>>
// CHECK: ascend.dot %{{.*}}, %{{.*}} : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
func.func @dot(%a: tensor<?x64xf16, #ascend.capacity<128x64>>, %b: tensor<64x32xf16>,
               %c: tensor<16x32xi8>, %d: tensor<32x16xi8>) {
  %p = ascend.dot %a, %b : tensor<?x64xf16, #ascend.capacity<128x64>>, tensor<64x32xf16>
    -> tensor<?x32xf32, #ascend.capacity<128x32>>
  %q = ascend.dot %c, %d : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
  return
}

// CHECK-LABEL: func.func @instructions
// CHECK: ascend.cube.in %{{.*}}[%{{.*}}, 0] [%{{.*}}, 64] -> %{{.*}} : memref<?x?xf16, #ascend.space<gm>> -> memref<16x128x16xf16, #ascend.space<l1>>
// CHECK: ascend.cube.nd2nz %{{.*}}[%{{.*}}, 0] [%{{.*}}, 64] -> %{{.*}} row %{{.*}} rows %{{.*}} cols %{{.*}} pitch %{{.*}} :
// CHECK: ascend.cube.fill %{{.*}} : memref<8x4x16x16xf16, #ascend.space<l0a>>
// CHECK: ascend.cube.load %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] -> %{{.*}} :
// CHECK: ascend.cube.mmad %{{.*}}, %{{.*}} -> %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] init %{{.*}} :
// CHECK: ascend.cube.out %{{.*}} pitch %{{.*}} -> %{{.*}}[%{{.*}}, 0] [%{{.*}}, 64] :
// CHECK: ascend.cube.fixpipe %{{.*}} row %{{.*}} src_pitch %{{.*}} -> %{{.*}}[%{{.*}}, 0] [%{{.*}}, 64] rows %{{.*}} cols %{{.*}} pitch %{{.*}} :
func.func @instructions(%x: !view, %a1: !l1, %a: !l0a, %b: !l0b, %c: !l0c, %i: index,
                        %n: index, %p: index, %first: i1) {
  ascend.cube.in %x[%i, 0] [%n, 64] -> %a1 : !view -> !l1
  ascend.cube.nd2nz %x[%i, 0] [%n, 64] -> %a1 row %i rows %n cols %p pitch %p : !view, !l1
  ascend.cube.fill %a : !l0a
  ascend.cube.load %a1[%i, %i] [%n, %p] -> %a : !l1, !l0a
  ascend.cube.mmad %a, %b -> %c [%n, %n, %n] init %first : !l0a, !l0b, !l0c
  ascend.cube.out %c pitch %p -> %x[%i, 0] [%n, 64] : !l0c -> !view
  ascend.cube.fixpipe %c row %i src_pitch %p -> %x[%i, 0] [%n, 64] rows %n cols %p pitch %p
    : !l0c, !view
  return
}

// CHECK-LABEL: func.func @transposed
// CHECK: ascend.cube.load %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] transposed -> %{{.*}} :
// CHECK: ascend.cube.load_fractals %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] transposed -> %{{.*}} outer %{{.*}} :
// CHECK: ascend.cube.load_fractals %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] -> %{{.*}} outer %{{.*}} :
// CHECK: ascend.cube.mmad %{{.*}}, %{{.*}} -> %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] init %{{.*}} align_k :
// CHECK: ascend.cube.out %{{.*}} pitch %{{.*}} -> %{{.*}}[0, 0] [%{{.*}}, 64] combine <sum> :
// CHECK: ascend.cube.fixpipe {{.*}} pitch %{{.*}} combine <sum> :
func.func @transposed(%x: !view, %a1: !l1, %a: !l0a, %b: !l0b, %c: !l0c, %i: index, %first: i1) {
  ascend.cube.load %a1[%i, %i] [%i, %i] transposed -> %a : !l1, !l0a
  ascend.cube.load_fractals %a1[%i, %i] [%i, %i] transposed -> %b outer %i : !l1, !l0b
  ascend.cube.load_fractals %a1[%i, %i] [%i, %i] -> %b outer %i : !l1, !l0b
  ascend.cube.mmad %a, %b -> %c [%i, %i, %i] init %first align_k : !l0a, !l0b, !l0c
  ascend.cube.out %c pitch %i -> %x[0, 0] [%i, 64] combine <sum> : !l0c -> !view
  ascend.cube.fixpipe %c row %i src_pitch %i -> %x[0, 0] [%i, 64] rows %i cols %i pitch %i combine <sum>
    : !l0c, !view
  return
}
