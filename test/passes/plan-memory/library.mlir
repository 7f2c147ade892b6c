// Results of functions of the vendor's library never take the place of an operand:
// AscendC's Power, Tanh and others may read operands after they began to write.
// RUN: belay-opt %s --ascend-plan-memory | FileCheck %s

#ub = #ascend.space<ub>
!t = memref<1x64xf32, #ub>
!w = memref<1x2048xf32, #ub>

// CHECK-LABEL: func.func @functions
func.func @functions(%n: index, %zero: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: ascend.buffer at [[A:[0-9]+]] : memref<1x64
  %a = ascend.buffer : !t
  // CHECK: ascend.buffer at [[B:[0-9]+]] : memref<1x64
  %b = ascend.buffer : !t
  // CHECK: ascend.buffer at
  %w = ascend.buffer : !w
  // CHECK-NOT: ascend.buffer at [[A]] : memref<1x64
  // CHECK-NOT: ascend.buffer at [[B]] : memref<1x64
  // CHECK: ascend.vec.binary <power>
  %c = ascend.buffer : !t
  ascend.vec.fill %zero -> %a, %n : f32, !t
  ascend.vec.fill %zero -> %b, %n : f32, !t
  ascend.vec.binary <power> %a, %b -> %c, %n work %w : !w : !t, !t, !t
  %x = ascend.scalar.read %c[%c0] : !t -> f32
  return
}

// CHECK-LABEL: func.func @function
func.func @function(%n: index, %zero: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: ascend.buffer at [[A:[0-9]+]] : memref<1x64
  %a = ascend.buffer : !t
  // CHECK: ascend.buffer at
  %w = ascend.buffer : !w
  // CHECK-NOT: ascend.buffer at [[A]] : memref<1x64
  // CHECK: ascend.vec.unary <tanh>
  %c = ascend.buffer : !t
  ascend.vec.fill %zero -> %a, %n : f32, !t
  ascend.vec.unary <tanh> %a -> %c, %n work %w : !w : !t, !t
  %x = ascend.scalar.read %c[%c0] : !t -> f32
  return
}
