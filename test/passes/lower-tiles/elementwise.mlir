// Tiles become buffers; mathematics becomes vector instructions.
// RUN: belay-opt %s --ascend-lower-tiles --canonicalize --cse | FileCheck %s

#gm = #ascend.space<gm>
#tile = #ascend.capacity<8x300>
#column = #ascend.capacity<8x1>

// Rows of 300 floats begin at multiples of 304.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[X:.*]]: memref<?x300xf32, #ascend.space<gm>>, %[[Y:.*]]: memref<{{.*}}>, %[[N:.*]]: index
func.func @rows(%x: memref<?x300xf32, #gm>, %y: memref<?x300xf32, #gm>, %n: index) {
  // CHECK: %[[T:.*]] = ascend.buffer : memref<8x300xf32, strided<[304, 1]>, #ascend.space<ub>>
  // CHECK: ascend.dma.in %[[X]][0, 0] [%[[N]], 300] -> %[[T]]
  %t = ascend.load %x[0, 0] [%n, 300] : memref<?x300xf32, #gm> -> tensor<?x300xf32, #tile>
  // CHECK: %[[M:.*]] = ascend.buffer : memref<8x1xf32, #ascend.space<ub>>
  // CHECK: ascend.vec.reduce <max> along <row> %[[T]][%[[N]], %c300] -> %[[M]] work
  %m = ascend.reduce <max> along <row> %t : tensor<?x300xf32, #tile>
  // Each row's number fills a block, which meets the row with a stride of 0.
  // CHECK: %[[B:.*]] = ascend.buffer : memref<1x64xf32, #ascend.space<ub>>
  // CHECK: ascend.vec.spread %[[M]] -> %[[B]], %[[N]]
  %b = ascend.broadcast %m [] : tensor<?x1xf32, #column> -> tensor<?x300xf32, #tile>
  // CHECK: %[[D:.*]] = ascend.buffer
  // CHECK: ascend.vec.repeated <sub> %[[T]], %[[B]] along <col> -> %[[D]][%[[N]], %c300]
  %d = arith.subf %t, %b : tensor<?x300xf32, #tile>
  // CHECK: %[[E:.*]] = ascend.buffer
  // CHECK: %[[COUNT:.*]] = arith.muli %[[N]], %c304
  // CHECK: ascend.vec.unary <exp> %[[D]] -> %[[E]], %[[COUNT]]
  %e = math.exp %d : tensor<?x300xf32, #tile>
  // CHECK: ascend.dma.out %[[E]] -> %[[Y]][0, 0] [%[[N]], 300]
  ascend.store %e, %y[0, 0] [%n, 300] : tensor<?x300xf32, #tile> -> memref<?x300xf32, #gm>
  return
}

// The same value everywhere is an operand, not a buffer, where that exists.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME: %[[X:.*]]: memref<?xf32, #ascend.space<gm>>, %[[A:.*]]: f32
func.func @scalars(%x: memref<?xf32, #gm>, %a: f32) {
  %t = ascend.load %x[0] [64] : memref<?xf32, #gm> -> tensor<1x64xf32>
  %s = ascend.splat %a [] : f32 -> tensor<1x64xf32>
  // CHECK: ascend.vec.scalar <mul> %{{.*}}, %[[A]] -> %[[U:.*]], %c64
  %u = arith.mulf %s, %t : tensor<1x64xf32>
  // CHECK: %[[NEGATIVE:.*]] = arith.negf %[[A]]
  // CHECK: ascend.vec.scalar <add> %[[U]], %[[NEGATIVE]] -> %[[V:[0-9]+]], %c64
  %v = arith.subf %u, %s : tensor<1x64xf32>
  // CHECK: ascend.vec.fill %[[A]] -> %[[S:.*]], %c64
  // CHECK: ascend.vec.binary <sub> %[[S]], %[[V]] -> %[[W:.*]], %c64
  %w = arith.subf %s, %v : tensor<1x64xf32>
  // CHECK: ascend.dma.out %[[W]]
  ascend.store %w, %x[0] [64] : tensor<1x64xf32> -> memref<?xf32, #gm>
  return
}

// What the window does not have is the copy's to fill.
// CHECK-LABEL: func.func @padded
// CHECK-SAME: %[[X:.*]]: memref<?xf16, #ascend.space<gm>>, %[[N:.*]]: index, %[[ZERO:.*]]: f16
func.func @padded(%x: memref<?xf16, #gm>, %n: index, %zero: f16) -> f16 {
  // CHECK-NOT: ascend.vec.fill
  // CHECK: ascend.dma.in %[[X]][0] [%[[N]]] -> %[[T:.*]] pad(%[[ZERO]] : f16)
  %t = ascend.load %x[0] [%n] pad(%zero : f16) : memref<?xf16, #gm> -> tensor<1x256xf16>
  // CHECK: ascend.vec.reduce <sum> along <row> %[[T]][%c1, %c256] -> %[[S:.*]] work
  %s = ascend.reduce <sum> along <all> %t : tensor<1x256xf16>
  %c0 = arith.constant 0 : index
  // CHECK: ascend.scalar.read %[[S]][%c0]
  %v = tensor.extract %s[%c0, %c0] : tensor<1x1xf16>
  return %v : f16
}

// CHECK-LABEL: func.func @masks
func.func @masks(%x: memref<?xf32, #gm>) {
  %t = ascend.load %x[0] [64] : memref<?xf32, #gm> -> tensor<1x64xf32>
  %u = ascend.load %x[64] [64] : memref<?xf32, #gm> -> tensor<1x64xf32>
  // CHECK: ascend.vec.compare <lt> %[[T:.*]], %[[U:.*]] -> %[[M:.*]], %c64 : {{.*}}, memref<1x64xi1, #ascend.space<ub>>
  %m = arith.cmpf olt, %t, %u : tensor<1x64xf32>
  // CHECK: ascend.vec.select %[[M]], %[[T]], %[[U]] -> %[[S:.*]], %c64
  %s = arith.select %m, %t, %u : tensor<1x64xi1>, tensor<1x64xf32>
  // CHECK: ascend.vec.cast <rint> %[[S]] -> %[[H:.*]], %c64
  %h = arith.truncf %s : tensor<1x64xf32> to tensor<1x64xf16>
  // CHECK: ascend.vec.cast <none> %[[H]]
  %f = arith.extf %h : tensor<1x64xf16> to tensor<1x64xf32>
  ascend.store %f, %x[0] [64] : tensor<1x64xf32> -> memref<?xf32, #gm>
  return
}

// Along rows as down the columns of what is transposed, where the vector unit can.
// CHECK-LABEL: func.func @scan
func.func @scan(%x: memref<?x64xf32, #gm>, %y: memref<?x64xf32, #gm>, %n: index) {
  // CHECK: %[[T:.*]] = ascend.buffer : memref<32x64xf32
  %t = ascend.load %x[0, 0] [%n, 64] : memref<?x64xf32, #gm> -> tensor<?x64xf32, #ascend.capacity<32x64>>
  // Lines are an odd number of blocks apart, so that they are in different banks.
  // CHECK: ascend.vec.transpose %[[T]][%[[N:.*]], %c64] -> %[[L:.*]] :
  // CHECK: ascend.vec.scan <sum> along <col> %[[L]][%c64, %[[N]]] -> %[[L]] : memref<64x32xf32, strided<[40, 1]>
  // CHECK: ascend.vec.transpose %[[L]][%c64, %[[N]]] -> %
  %s = ascend.scan <sum> along <row> %t : tensor<?x64xf32, #ascend.capacity<32x64>>
  ascend.store %s, %y[0, 0] [%n, 64] : tensor<?x64xf32, #ascend.capacity<32x64>> -> memref<?x64xf32, #gm>
  return
}

// Else by the scalar unit: a single row has no lanes to fill.
// CHECK-LABEL: func.func @scan_one
// CHECK-NOT: ascend.vec.transpose
// CHECK: ascend.vec.scan <sum> along <row>
func.func @scan_one(%x: memref<?x64xf32, #gm>, %y: memref<?x64xf32, #gm>) {
  %t = ascend.load %x[0, 0] [1, 64] : memref<?x64xf32, #gm> -> tensor<1x64xf32>
  %s = ascend.scan <sum> along <row> %t : tensor<1x64xf32>
  ascend.store %s, %y[0, 0] [1, 64] : tensor<1x64xf32> -> memref<?x64xf32, #gm>
  return
}
