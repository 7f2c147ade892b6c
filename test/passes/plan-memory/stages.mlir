// Instructions that need no barrier between them get none by sharing memory.
// RUN: belay-opt %s --ascend-plan-memory | FileCheck %s
// RUN: belay-opt %s --ascend-plan-memory=soc=Ascend950PR_9599 | FileCheck %s --check-prefix=INTERLOCK
// RUN: belay-opt %s --ascend-plan-memory=capacity=768 | FileCheck %s --check-prefix=TIGHT

#ub = #ascend.space<ub>

// %c could be where %a was, and only has to wait for the first instruction then.
// CHECK-LABEL: func.func @beside
// INTERLOCK-LABEL: func.func @beside
// TIGHT-LABEL: func.func @beside
func.func @beside(%s: f32) {
  %c64 = arith.constant 64 : index
  // CHECK: ascend.buffer at [[A:[0-9]+]] :
  // CHECK: ascend.buffer at [[B:[0-9]+]] :
  // CHECK-NOT: at [[A]] :
  // CHECK: ascend.vec.unary <abs>
  // INTERLOCK: ascend.buffer at [[A:[0-9]+]] :
  // INTERLOCK: ascend.buffer at [[A]] :
  // TIGHT: ascend.buffer at [[A:[0-9]+]] :
  // TIGHT: ascend.buffer at [[A]] :
  %a = ascend.buffer : memref<1x64xf32, #ub>
  %b = ascend.buffer : memref<1x64xf32, #ub>
  %x = ascend.buffer : memref<1x64xf32, #ub>
  %c = ascend.buffer : memref<1x64xf32, #ub>
  ascend.vec.fill %s -> %a, %c64 : f32, memref<1x64xf32, #ub>
  ascend.vec.fill %s -> %x, %c64 : f32, memref<1x64xf32, #ub>
  ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  ascend.vec.unary <abs> %x -> %c, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  ascend.vec.binary <add> %b, %c -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
  return
}
