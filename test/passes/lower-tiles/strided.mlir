// Columns that lie apart are copied with those between, which the vector unit leaves
// out, where nothing writes to them.
// RUN: belay-opt %s --ascend-lower-tiles=soc=Ascend910B3 --canonicalize --cse | FileCheck %s

#gm = #ascend.space<gm>
#in = #ascend.role<in>
!apart = memref<8x?xf32, strided<[128, 2], offset: ?>, #gm>

// From the first to the last: 2 * n - 1 columns.
// CHECK-LABEL: func.func @every_second
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x128xf32
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: index, %[[SIZE:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
func.func @every_second(%x: memref<8x128xf32, #gm> {ascend.role = #in}, %y: memref<8x64xf32, #gm>,
                        %first: index, %size: index, %i: index, %n: index) {
  // CHECK-DAG: %[[TWICE:.*]] = arith.muli %[[I]], %c2
  // CHECK-DAG: %[[AT:.*]] = arith.addi %{{.*}}, %[[TWICE]]
  // CHECK-DAG: %[[UP:.*]] = arith.maxsi
  // CHECK: ascend.dma.in %{{.*}}[0, %{{.*}}] [8, %[[UP]]] -> %[[WIDE:.*]] : {{.*}} -> memref<8x128xf32
  // A load does not have more than the tile has space for: said again, for proofs.
  // CHECK: %[[LEFT:.*]] = arith.minsi %[[N]], %c64
  // CHECK: ascend.vec.every_other %[[WIDE]][%c8, %[[LEFT]]] -> %{{.*}} at %c0
  %v = memref.subview %x[0, %first] [8, %size] [1, 2] : memref<8x128xf32, #gm> to !apart
  %t = ascend.load %v[0, %i] [8, %n] : !apart -> tensor<8x?xf32, #ascend.capacity<8x64>>
  ascend.store %t, %y[0, 0] [8, %n] : tensor<8x?xf32, #ascend.capacity<8x64>> -> memref<8x64xf32, #gm>
  return
}

// Every fourth: half of the columns, and half of those.
// CHECK-LABEL: func.func @every_fourth
// CHECK: ascend.vec.every_other %{{.*}} -> %[[HALF:[0-9]+]] at %c0
// CHECK: ascend.vec.every_other %[[HALF]]
func.func @every_fourth(%x: memref<8x256xf16, #gm> {ascend.role = #in}, %y: memref<8x64xf16, #gm>) {
  %v = memref.subview %x[0, 3] [8, 64] [1, 4] : memref<8x256xf16, #gm>
    to memref<8x64xf16, strided<[256, 4], offset: 3>, #gm>
  %t = ascend.load %v[0, 0] [8, 64] : memref<8x64xf16, strided<[256, 4], offset: 3>, #gm> -> tensor<8x64xf16>
  ascend.store %t, %y[0, 0] [8, 64] : tensor<8x64xf16> -> memref<8x64xf16, #gm>
  return
}

// More rows than there is space for are copied some at a time.
// CHECK-LABEL: func.func @many_rows
// CHECK: scf.for %[[R:.*]] = %c0 to %c64 step %c16
// CHECK: %[[NOW:.*]] = arith.minsi
// CHECK: ascend.dma.in %{{.*}}[%[[R]], 0] [%[[NOW]], 255] -> %[[WIDE:.*]] : {{.*}} -> memref<16x256xf32
// CHECK: ascend.vec.every_other %[[WIDE]][%[[NOW]], %c128] -> %{{.*}} at %[[R]]
func.func @many_rows(%x: memref<64x256xf32, #gm> {ascend.role = #in}, %y: memref<64x128xf32, #gm>) {
  %v = memref.subview %x[0, 0] [64, 128] [1, 2] : memref<64x256xf32, #gm>
    to memref<64x128xf32, strided<[256, 2]>, #gm>
  %t = ascend.load %v[0, 0] [64, 128] : memref<64x128xf32, strided<[256, 2]>, #gm> -> tensor<64x128xf32>
  ascend.store %t, %y[0, 0] [64, 128] : tensor<64x128xf32> -> memref<64x128xf32, #gm>
  return
}

// A plane of what lies apart: the part of the view is the same, with all columns.
// CHECK-LABEL: func.func @plane
// CHECK: %[[PART:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 8, 128] [1, 1, 1]
// CHECK: ascend.dma.in %[[PART]][0, 1] [8, 127]
func.func @plane(%x: memref<4x8x128xf32, #gm> {ascend.role = #in}, %y: memref<8x64xf32, #gm>, %p: index) {
  %v = memref.subview %x[0, 0, 1] [4, 8, 64] [1, 1, 2] : memref<4x8x128xf32, #gm>
    to memref<4x8x64xf32, strided<[1024, 128, 2], offset: 1>, #gm>
  %q = memref.subview %v[%p, 0, 0] [1, 8, 64] [1, 1, 1] : memref<4x8x64xf32, strided<[1024, 128, 2], offset: 1>, #gm>
    to memref<8x64xf32, strided<[128, 2], offset: ?>, #gm>
  %t = ascend.load %q[0, 0] [8, 64] : memref<8x64xf32, strided<[128, 2], offset: ?>, #gm> -> tensor<8x64xf32>
  ascend.store %t, %y[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
  return
}

// Others may write to what lies between; no pattern of the hardware takes a third.
// CHECK-LABEL: func.func @one_by_one
// CHECK-NOT: ascend.vec.every_other
func.func @one_by_one(%x: memref<8x128xf32, #gm> {ascend.role = #ascend.role<inout>},
                      %z: memref<8x192xf32, #gm> {ascend.role = #in}, %y: memref<8x64xf32, #gm>) {
  %v = memref.subview %x[0, 0] [8, 64] [1, 2] : memref<8x128xf32, #gm> to memref<8x64xf32, strided<[128, 2]>, #gm>
  %t = ascend.load %v[0, 0] [8, 64] : memref<8x64xf32, strided<[128, 2]>, #gm> -> tensor<8x64xf32>
  %w = memref.subview %z[0, 0] [8, 64] [1, 3] : memref<8x192xf32, #gm> to memref<8x64xf32, strided<[192, 3]>, #gm>
  %u = ascend.load %w[0, 0] [8, 64] : memref<8x64xf32, strided<[192, 3]>, #gm> -> tensor<8x64xf32>
  %s = arith.addf %t, %u : tensor<8x64xf32>
  ascend.store %s, %y[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
  return
}
