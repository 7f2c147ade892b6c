// Loops whose number of iterations nobody knows: their buffers have one slot, and what is
// needed in the next iteration stays.
// RUN: belay-opt %s --ascend-plan-memory | FileCheck %s

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @carried
func.func @carried(%x: memref<?x64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: ascend.buffer at [[KEPT:[0-9]+]] :
  %kept = ascend.buffer : memref<1x64xf32, #ub>
  ascend.dma.in %x[0, 0] [1, 64] -> %kept : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
  %r = scf.while (%i = %n) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    // CHECK-NOT: at [[KEPT]] :
    // CHECK: ascend.buffer at {{[0-9]+}} :
    // CHECK-NOT: at [[KEPT]] :
    // CHECK: ascend.buffer at {{[0-9]+}} :
    // CHECK-NOT: at [[KEPT]] :
    // CHECK: scf.yield
    %a = ascend.buffer : memref<1x64xf32, #ub>
    %b = ascend.buffer : memref<1x64xf32, #ub>
    ascend.vec.binary <add> %kept, %kept -> %a, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    // After this, nobody reads it in this iteration.
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.dma.out %b -> %x[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  return
}
