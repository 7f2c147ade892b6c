// Operations between the units of one core are printed as they are parsed.
// RUN: belay-opt %s | belay-opt | FileCheck %s

!tile = tensor<?x64xf16, #ascend.capacity<32x64>>
!sum = tensor<?x64xf32, #ascend.capacity<32x64>>
!ub = memref<32x64xf16, #ascend.space<ub>>
!rows = memref<32x64xf32, #ascend.space<ub>>
!work = memref<4x16x16xf32, #ascend.space<ub>>
!bits = memref<1x16xi16, #ascend.space<ub>>
!l1 = memref<4x128x16xf16, #ascend.space<l1>>
!l0a = memref<8x4x16x16xf16, #ascend.space<l0a>>
!l0b = memref<4x4x16x16xf16, #ascend.space<l0b>>
!l0c = memref<4x128x16xf32, #ascend.space<l0c>>

// CHECK-LABEL: func.func @tiles
// CHECK: ascend.hand %{{.*}} : tensor<?x64xf16, #ascend.capacity<32x64>>
// CHECK: ascend.to_l1 %{{.*}} -> %{{.*}} row %{{.*}} : tensor<?x64xf16, #ascend.capacity<32x64>>, memref<4x128x16xf16, #ascend.space<l1>>
// CHECK: ascend.from_l0c %{{.*}} row %{{.*}} pitch %{{.*}}[%{{.*}}] : memref<4x128x16xf32, #ascend.space<l0c>> -> tensor<?x64xf32, #ascend.capacity<32x64>>
func.func @tiles(%t: !tile, %a: !l1, %c: !l0c, %r: index, %n: index) -> !sum {
  %h = ascend.hand %t : !tile
  ascend.to_l1 %h -> %a row %r : !tile, !l1
  %s = ascend.from_l0c %c row %r pitch %n [%n] : !l0c -> !sum
  return %s : !sum
}

// CHECK-LABEL: func.func @instructions
// CHECK: ascend.vec.clear %{{.*}}[%{{.*}}, %{{.*}}] work %{{.*}} :
// CHECK: ascend.cube.put %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}} row %{{.*}} :
// CHECK: ascend.cube.put_blocks %{{.*}} pitch 64 -> %{{.*}} block %{{.*}} row %{{.*}} rows %{{.*}} :
// CHECK: ascend.cube.fill %{{.*}} one_core :
// CHECK: ascend.cube.load %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] -> %{{.*}} one_core :
// CHECK: ascend.cube.load_fractals %{{.*}}[%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] transposed -> %{{.*}} outer %{{.*}} one_core :
// CHECK: ascend.cube.mmad %{{.*}}, %{{.*}} -> %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] init %{{.*}} one_core :
// CHECK: ascend.cube.get %{{.*}} row %{{.*}} pitch %{{.*}} -> %{{.*}}[%{{.*}}, %{{.*}}] work %{{.*}} :
// CHECK: ascend.cube.fractals %{{.*}} row %{{.*}} rows %{{.*}} blocks %{{.*}} pitch %{{.*}} -> %{{.*}} :
// CHECK: ascend.cube.rows %{{.*}} block %{{.*}} -> %{{.*}} rows %{{.*}} length 2 pitch 64 :
// CHECK: ascend.flag.set <AI_M> to <V> event 0
// CHECK: ascend.flag.wait <AI_M> to <V> event 0
// CHECK: ascend.barrier on <AI_MTE1>
func.func @instructions(%u: !ub, %s: !rows, %w: !work, %z: !bits, %a1: !l1, %a: !l0a,
                        %b: !l0b, %c: !l0c, %i: index, %n: index, %first: i1) {
  ascend.vec.clear %u [%n, %n] work %z : !ub, !bits
  ascend.cube.put %u [%n, %n] -> %a1 row %i : !ub, !l1
  ascend.cube.put_blocks %u pitch 64 -> %a1 block %i row %i rows %n : !ub, !l1
  ascend.cube.fill %a one_core : !l0a
  ascend.cube.load %a1[%i, %i] [%n, %n] -> %a one_core : !l1, !l0a
  ascend.cube.load_fractals %a1[%i, %i] [%n, %n] transposed -> %b outer %i one_core : !l1, !l0b
  ascend.cube.mmad %a, %b -> %c [%n, %n, %n] init %first one_core : !l0a, !l0b, !l0c
  ascend.cube.get %c row %i pitch %n -> %s [%n, %n] work %w : !l0c, !rows, !work
  ascend.cube.fractals %c row %i rows %n blocks %i pitch %n -> %w : !l0c, !work
  ascend.cube.rows %w block %i -> %s rows %n length 2 pitch 64 : !work, !rows
  ascend.flag.set <AI_M> to <V> event 0
  ascend.flag.wait <AI_M> to <V> event 0
  ascend.barrier on <AI_MTE1>
  return
}
