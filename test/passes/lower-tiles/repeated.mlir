// Rows and columns that only broadcast over tiles in arithmetic are not stored.
// RUN: belay-opt %s --ascend-lower-tiles --canonicalize --cse | FileCheck %s

#gm = #ascend.space<gm>

// A row is read where it is, also as the left operand.
// CHECK-LABEL: func.func @row
func.func @row(%x: memref<8x64xf32, #gm>, %g: memref<64xf32, #gm>) {
  %t = ascend.load %x[0, 0] [8, 64] : memref<8x64xf32, #gm> -> tensor<8x64xf32>
  // CHECK: ascend.dma.in %{{.*}}[0] [64] -> %[[ROW:[0-9]+]]
  %r = ascend.load %g[0] [64] : memref<64xf32, #gm> -> tensor<1x64xf32>
  %b = ascend.broadcast %r [] : tensor<1x64xf32> -> tensor<8x64xf32>
  // CHECK-NOT: ascend.vec.broadcast
  // CHECK: ascend.vec.repeated <mul> %{{.*}}, %[[ROW]] along <row>
  %m = arith.mulf %b, %t : tensor<8x64xf32>
  // CHECK: ascend.vec.repeated <div> reversed %{{.*}}, %[[ROW]] along <row>
  %d = arith.divf %b, %m : tensor<8x64xf32>
  ascend.store %d, %x[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
  return
}

// Anything else needs it as a tile.
// CHECK-LABEL: func.func @other
func.func @other(%x: memref<8x64xf32, #gm>) {
  %t = ascend.load %x[0, 0] [8, 64] : memref<8x64xf32, #gm> -> tensor<8x64xf32>
  %m = ascend.reduce <max> along <row> %t : tensor<8x64xf32>
  // CHECK: ascend.vec.broadcast
  %b = ascend.broadcast %m [] : tensor<8x1xf32> -> tensor<8x64xf32>
  // CHECK: ascend.vec.unary <exp>
  %e = math.exp %b : tensor<8x64xf32>
  // CHECK: ascend.vec.binary <add>
  %s = arith.addf %e, %b : tensor<8x64xf32>
  ascend.store %s, %x[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
  return
}

// What a loop carries may be overwritten before a row of it is read again.
// CHECK-LABEL: func.func @carried
func.func @carried(%x: memref<8x64xf32, #gm>, %g: memref<64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = ascend.load %x[0, 0] [8, 64] : memref<8x64xf32, #gm> -> tensor<8x64xf32>
  %r = ascend.load %g[0] [64] : memref<64xf32, #gm> -> tensor<1x64xf32>
  // CHECK: scf.for
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%now = %r) -> tensor<1x64xf32> {
    // CHECK: ascend.vec.broadcast
    %b = ascend.broadcast %now [] : tensor<1x64xf32> -> tensor<8x64xf32>
    // CHECK: ascend.vec.unary <exp>
    %next = math.exp %now : tensor<1x64xf32>
    // CHECK: ascend.vec.binary <mul>
    %m = arith.mulf %t, %b : tensor<8x64xf32>
    ascend.store %m, %x[0, 0] [8, 64] : tensor<8x64xf32> -> memref<8x64xf32, #gm>
    scf.yield %next : tensor<1x64xf32>
  }
  ascend.store %last, %g[0] [64] : tensor<1x64xf32> -> memref<64xf32, #gm>
  return
}

// Rows of up to 64 floats are looked through at once; longer ones one by one.
// CHECK-LABEL: func.func @places
func.func @places(%x: memref<8x64xf32, #gm>, %y: memref<8x65xf32, #gm>, %w: memref<8xi32, #gm>) {
  %t = ascend.load %x[0, 0] [8, 64] : memref<8x64xf32, #gm> -> tensor<8x64xf32>
  // CHECK: ascend.vec.extremes <max> %{{.*}} -> %[[PAIRS:[0-9]+]]
  // CHECK: ascend.vec.places %[[PAIRS]]
  %i = ascend.arg_reduce <max> along <row> %t : tensor<8x64xf32>
  ascend.store %i, %w[0] [8] : tensor<8x1xi32> -> memref<8xi32, #gm>
  %u = ascend.load %y[0, 0] [8, 65] : memref<8x65xf32, #gm> -> tensor<8x65xf32>
  // CHECK: ascend.vec.arg_reduce <min>
  %j = ascend.arg_reduce <min> along <row> %u : tensor<8x65xf32>
  ascend.store %j, %w[0] [8] : tensor<8x1xi32> -> memref<8xi32, #gm>
  return
}

// Nothing is read of rows that may not be there.
// CHECK-LABEL: func.func @place_in_all
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %{{.*}}, %c0
// CHECK: scf.if %[[ANY]] -> (index)
// CHECK-NEXT: ascend.scalar.read
func.func @place_in_all(%x: memref<?x64xf32, #gm>, %w: memref<1xi32, #gm>, %n: index) {
  %t = ascend.load %x[0, 0] [%n, 64] : memref<?x64xf32, #gm> -> tensor<?x64xf32, #ascend.capacity<8x64>>
  %i = ascend.arg_reduce <max> along <all> %t : tensor<?x64xf32, #ascend.capacity<8x64>>
  ascend.store %i, %w[0] [1] : tensor<1x1xi32> -> memref<1xi32, #gm>
  return
}

// Where rows are whole repeats, the vector unit finds the places of all of them:
// the lane in each repeat, then the repeat, whose numbers are made before the loop.
// CHECK-LABEL: func.func @repeats
// CHECK-COUNT-2: ascend.vec.broadcast %{{.*}} -> %{{.*}} : memref<1x16xf32{{.*}}, memref<8x16xf32
// CHECK: scf.for
// CHECK: ascend.rep.reduce <min> places %{{.*}} -> %[[PAIRS:[0-9]+]] mask %c64{{.*}} row 8
// CHECK: ascend.rep.every_other %[[PAIRS]] -> %[[VALUES:[0-9]+]]
// CHECK: ascend.vec.places %[[PAIRS]] -> %[[LANES:[0-9]+]]
// CHECK: ascend.vec.cast <none> %[[LANES]] -> %[[LANE:[0-9]+]]
// CHECK: ascend.vec.binary <add> %[[LANE]], %{{.*}} -> %[[COLUMN:[0-9]+]]
// CHECK: ascend.vec.extremes <min> %[[VALUES]]
// CHECK: ascend.vec.places
// CHECK: ascend.vec.spread
// CHECK: ascend.vec.repeated <sub> %{{.*}}, %{{.*}} along <col> -> %[[FAR:[0-9]+]]
// CHECK: ascend.vec.binary <mul> %[[FAR]], %[[FAR]]
// CHECK: ascend.vec.binary <sub> %[[COLUMN]]
// CHECK: ascend.vec.reduce <max> along <row>
// CHECK: ascend.vec.cast <rint>
// CHECK-NOT: ascend.vec.arg_reduce
func.func @repeats(%x: memref<?x1024xf32, #gm>, %w: memref<?xi32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %r = %c0 to %n step %c8 {
    %t = ascend.load %x[%r, 0] [8, 1024] : memref<?x1024xf32, #gm> -> tensor<8x1024xf32>
    %i = ascend.arg_reduce <min> along <row> %t : tensor<8x1024xf32>
    ascend.store %i, %w[%r] [8] : tensor<8x1xi32> -> memref<?xi32, #gm>
  }
  return
}

// More repeats than an instruction has, and rows of which there may be none, are
// left to the scalar unit.
// CHECK-LABEL: func.func @too_many_repeats
// CHECK: ascend.vec.arg_reduce <max>
func.func @too_many_repeats(%x: memref<16x1024xf32, #gm>, %w: memref<16xi32, #gm>) {
  %t = ascend.load %x[0, 0] [16, 1024] : memref<16x1024xf32, #gm> -> tensor<16x1024xf32>
  %i = ascend.arg_reduce <max> along <row> %t : tensor<16x1024xf32>
  ascend.store %i, %w[0] [16] : tensor<16x1xi32> -> memref<16xi32, #gm>
  return
}

// CHECK-LABEL: func.func @maybe_no_rows
// CHECK: ascend.vec.arg_reduce <max>
func.func @maybe_no_rows(%x: memref<?x1024xf32, #gm>, %w: memref<?xi32, #gm>, %n: index) {
  %t = ascend.load %x[0, 0] [%n, 1024] : memref<?x1024xf32, #gm> -> tensor<?x1024xf32, #ascend.capacity<8x1024>>
  %i = ascend.arg_reduce <max> along <row> %t : tensor<?x1024xf32, #ascend.capacity<8x1024>>
  ascend.store %i, %w[0] [%n] : tensor<?x1xi32, #ascend.capacity<8x1>> -> memref<?xi32, #gm>
  return
}
