// A right operand that is not transposed on its way to L0B, and bytes that are, are loaded
// by rows of fractals, at once where a tile has all rows of its buffer. Products have a
// barrier before them where they are too few fractals for the cube to order them.
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend910B3 | FileCheck %s
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend950PR_9589 | FileCheck %s --check-prefix=V2

!l1 = memref<4x48x16xf16, #ascend.space<l1>>
!l0b = memref<4x3x16x16xf16, #ascend.space<l0b>>
// CHECK-LABEL: func.func @transposed
// CHECK: arith.cmpi sge, %[[N:.*]], %c48{{.*}}
// CHECK: scf.if
// CHECK: ascend.cube.load_fractals %{{.*}}[%{{.*}}, %[[K:.*]]] [%c48{{.*}}, %[[COLS:.*]]] transposed -> %{{.*}} outer %c0
// CHECK: } else {
// CHECK: scf.for %[[S:.*]] = %c0{{.*}} to
// CHECK: ascend.cube.load_fractals %{{.*}}[%{{.*}}, %{{.*}}] [%[[N]], %c16{{.*}}] transposed -> %{{.*}} outer %[[S]]
// V2-LABEL: func.func @transposed
// V2: ascend.cube.load %{{.*}} transposed -> %{{.*}}
func.func @transposed(%n: index, %k: index, %cols: index) {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %a = ascend.buffer at 0 : !l1
  %b = ascend.buffer at 0 : !l0b
  ascend.cube.load %a[%c0, %k] [%n, %cols] transposed -> %b : !l1, !l0b
  return
}

!bytes = memref<2x64x32xi8, #ascend.space<l1>>
!squares = memref<2x4x16x32xi8, #ascend.space<l0b>>
// CHECK-LABEL: func.func @bytes
// CHECK: scf.for %[[S:.*]] =
// CHECK: ascend.cube.load_fractals %{{.*}}[%{{.*}}, %c0] [%c32{{.*}}, %{{.*}}] -> %{{.*}} outer %[[S]]
// V2-LABEL: func.func @bytes
// V2: ascend.cube.load %{{.*}} -> %{{.*}}
func.func @bytes(%n: index, %k: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %a = ascend.buffer at 0 : !bytes
  %b = ascend.buffer at 0 : !squares
  ascend.cube.load %a[%k, %c0] [%rows, %n] -> %b : !bytes, !squares
  return
}

!left = memref<8x1x16x16xf16, #ascend.space<l0a>>
!right = memref<1x16x16x16xf16, #ascend.space<l0b>>
!sums = memref<16x128x16xf32, #ascend.space<l0c>>
// CHECK-LABEL: func.func @products
// CHECK: %[[COUNT:.*]] = arith.muli
// CHECK: %[[FEW:.*]] = arith.cmpi slt, %[[COUNT]], %c10
// CHECK: scf.if %[[FEW]] {
// CHECK-NEXT: ascend.barrier on <M>
// CHECK-NEXT: }
// CHECK-NEXT: ascend.cube.mmad
// CHECK-NOT: ascend.barrier
// CHECK: ascend.cube.mmad {{.*}}[%c128, %c256, %c16]
func.func @products(%count: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %false = arith.constant false
  %a = ascend.buffer at 0 : !left
  %b = ascend.buffer at 0 : !right
  %c = ascend.buffer at 0 : !sums
  scf.for %i = %c0 to %count step %c1 {
    ascend.cube.mmad %a, %b -> %c[%m, %n, %c16] init %false : !left, !right, !sums
  }
  scf.for %i = %c0 to %count step %c1 {
    ascend.cube.mmad %a, %b -> %c[%c128, %c256, %c16] init %false : !left, !right, !sums
  }
  return
}
