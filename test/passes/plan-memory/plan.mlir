// Buffers with disjoint live ranges share memory; copied ones get two slots.
// RUN: belay-opt %s --ascend-plan-memory --split-input-file | FileCheck %s
// RUN: belay-opt %s --ascend-plan-memory=double-buffer=false --split-input-file | FileCheck %s --check-prefix=SINGLE
// RUN: belay-opt %s --ascend-plan-memory=capacity=1024 --split-input-file | FileCheck %s --check-prefix=TIGHT

#gm = #ascend.space<gm>
#ub = #ascend.space<ub>

// CHECK-LABEL: func.func @loop
// SINGLE-LABEL: func.func @loop
// TIGHT-LABEL: func.func @loop
func.func @loop(%x: memref<?x64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: scf.for %{{.*}} iter_args(%[[SLOT:.*]] = %{{.*}}) -> (index)
  // SINGLE: scf.for
  // SINGLE-NOT: iter_args
  scf.for %i = %c0 to %n step %c1 {
    // Each result has a place of its own, in other banks, where there is room.
    // CHECK: ascend.buffer at 256 2 slots[%[[SLOT]]]
    // SINGLE: ascend.buffer at 256 :
    // With 1024 bytes, both have two slots, as the temporary is in one of them.
    // TIGHT: ascend.buffer at 0 2 slots
    %a = ascend.buffer : memref<1x64xf32, #ub>
    ascend.dma.in %x[%i, 0] [1, 64] -> %a : memref<?x64xf32, #gm> -> memref<1x64xf32, #ub>
    // CHECK: ascend.buffer at 1024 :
    // SINGLE: ascend.buffer at 512 :
    // TIGHT: ascend.buffer at 0 2 slots
    %b = ascend.buffer : memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %a -> %b, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    // CHECK: ascend.buffer at 1792 :
    // TIGHT: ascend.buffer at 0 2 slots
    // SINGLE: ascend.buffer at 1280 :
    %c = ascend.buffer : memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %b -> %c, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    // CHECK: ascend.buffer at 2048 2 slots[%[[SLOT]]]
    // SINGLE: ascend.buffer at 1536 :
    // TIGHT: ascend.buffer at 512 2 slots
    %d = ascend.buffer : memref<1x64xf32, #ub>
    ascend.vec.unary <exp> %c -> %d, %c64 : memref<1x64xf32, #ub>, memref<1x64xf32, #ub>
    ascend.dma.out %d -> %x[%i, 0] [1, 64] : memref<1x64xf32, #ub> -> memref<?x64xf32, #gm>
  // CHECK: %[[NEXT:.*]] = arith.subi %{{.*}}, %[[SLOT]]
  // CHECK: scf.yield %[[NEXT]]
  }
  return
}
