// Offsets are made right before a gather: not below 0, not past the last element, in bytes.
// RUN: belay-opt %s --ascend-expand-instructions | FileCheck %s
// RUN: belay-opt %s --ascend-expand-instructions=soc=Ascend950PR_9599 | FileCheck %s --check-prefix=REGISTERS

#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @row
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<1x1024xf32{{.*}}, %[[I:[a-z0-9]+]]: memref<1x64xi32{{.*}}, %[[B:[a-z0-9]+]]: memref<1x64xf32{{.*}}, %[[W:[a-z0-9]+]]: memref<1x64xi32{{.*}}, %[[N:[a-z0-9]+]]: index
// CHECK: %[[ANY:.*]] = arith.cmpi sge, %[[N]], %c1
// CHECK: scf.if %[[ANY]]
// CHECK: ascend.vec.scalar <max> %[[I]], %c0_i32{{.*}} -> %[[W]], %[[N]]
// CHECK: ascend.barrier on <V>
// CHECK: ascend.vec.scalar <min> %[[W]], %c1023_i32{{.*}} -> %[[W]], %[[N]]
// CHECK: ascend.barrier on <V>
// CHECK: ascend.vec.scalar <mul> %[[W]], %c4_i32{{.*}} -> %[[W]], %[[N]]
// CHECK: ascend.barrier on <V>
// CHECK: ascend.vec.gather %[[A]], %[[W]] -> %[[B]], %[[N]]
// REGISTERS-LABEL: func.func @row
// REGISTERS-NOT: ascend.barrier
// REGISTERS: ascend.vec.gather
func.func @row(%a: memref<1x1024xf32, #ub>, %i: memref<1x64xi32, #ub>, %b: memref<1x64xf32, #ub>, %w: memref<1x64xi32, #ub>, %n: index) {
  %c1 = arith.constant 1 : index
  ascend.vec.take %a, %i -> %b[%c1, %n] work %w
    : memref<1x1024xf32, #ub>, memref<1x64xi32, #ub>, memref<1x64xf32, #ub>, memref<1x64xi32, #ub>
  return
}

// Rows that lie side by side are one line.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: scf.for
// CHECK: ascend.vec.scalar <mul> %{{.*}}, %c2_i32
// CHECK: ascend.vec.gather {{.*}}, %c512
func.func @rows(%a: memref<1x1024xf16, #ub>, %i: memref<8x64xi32, #ub>, %b: memref<8x64xf16, #ub>, %w: memref<8x64xi32, #ub>) {
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  ascend.vec.take %a, %i -> %b[%c8, %c64] work %w
    : memref<1x1024xf16, #ub>, memref<8x64xi32, #ub>, memref<8x64xf16, #ub>, memref<8x64xi32, #ub>
  return
}

// Each row from its own, and not past the end of it, by offsets that were made for
// all rows at once.
// CHECK-LABEL: func.func @by_row
// CHECK: ascend.vec.scalar <min> %{{.*}}, %c99_i32{{.*}}, %c512
// CHECK: scf.for %[[R:.*]] = %c0{{.*}} to %c8
// CHECK-NOT: ascend.barrier
// CHECK: %[[ROW:.*]] = ascend.slice %{{.*}}[%[[R]], 0] : memref<8x100xf32
// CHECK: %[[W:.*]] = ascend.slice %{{.*}}[%[[R]], 0]
// CHECK: ascend.vec.gather %[[ROW]], %[[W]] -> %{{.*}}, %c64
func.func @by_row(%a: memref<8x100xf32, strided<[104, 1]>, #ub>, %i: memref<8x64xi32, #ub>, %b: memref<8x64xf32, #ub>, %w: memref<8x64xi32, #ub>) {
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  ascend.vec.take by_row %a, %i -> %b[%c8, %c64] work %w
    : memref<8x100xf32, strided<[104, 1]>, #ub>, memref<8x64xi32, #ub>, memref<8x64xf32, #ub>, memref<8x64xi32, #ub>
  return
}
