// What loops and branches carry stays in one buffer.
// RUN: belay-opt %s --ascend-lower-tiles --canonicalize --cse | FileCheck %s

#gm = #ascend.space<gm>

// The sum is computed into the place of the old one.
// CHECK-LABEL: func.func @accumulate
func.func @accumulate(%x: memref<?x64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = ascend.splat %zero [] : f32 -> tensor<1x64xf32>
  // CHECK: %[[SUM:.*]] = ascend.buffer
  // CHECK: ascend.vec.fill %{{.*}} -> %[[SUM]]
  // CHECK: scf.for
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> tensor<1x64xf32> {
    // CHECK: ascend.dma.in %{{.*}} -> %[[T:.*]] :
    %t = ascend.load %x[%i, 0] [1, 64] : memref<?x64xf32, #gm> -> tensor<1x64xf32>
    // CHECK-NEXT: ascend.vec.binary <add> %[[SUM]], %[[T]] -> %[[SUM]]
    %next = arith.addf %sum, %t : tensor<1x64xf32>
    // CHECK-NEXT: }
    scf.yield %next : tensor<1x64xf32>
  }
  // CHECK: ascend.dma.out %[[SUM]]
  ascend.store %sums, %x[0, 0] [1, 64] : tensor<1x64xf32> -> memref<?x64xf32, #gm>
  return
}

// The old value is needed after the new one: a copy at the end of the iteration.
// CHECK-LABEL: func.func @needed
func.func @needed(%x: memref<?x64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = ascend.load %x[0, 0] [1, 64] : memref<?x64xf32, #gm> -> tensor<1x64xf32>
  // CHECK: ascend.dma.in %{{.*}} -> %[[OLD:.*]] :
  // CHECK: scf.for
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%old = %start) -> tensor<1x64xf32> {
    // CHECK: ascend.vec.unary <exp> %[[OLD]] -> %[[NEW:.*]], %c64
    %new = math.exp %old : tensor<1x64xf32>
    // CHECK: ascend.dma.out %[[OLD]]
    ascend.store %old, %x[%i, 0] [1, 64] : tensor<1x64xf32> -> memref<?x64xf32, #gm>
    // CHECK: ascend.vec.copy %[[NEW]] -> %[[OLD]]
    scf.yield %new : tensor<1x64xf32>
  }
  ascend.store %end, %x[0, 0] [1, 64] : tensor<1x64xf32> -> memref<?x64xf32, #gm>
  return
}

// Exchanged by way of a third buffer.
// CHECK-LABEL: func.func @exchange
func.func @exchange(%x: memref<?x64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = ascend.load %x[0, 0] [1, 64] : memref<?x64xf32, #gm> -> tensor<1x64xf32>
  %q = ascend.load %x[1, 0] [1, 64] : memref<?x64xf32, #gm> -> tensor<1x64xf32>
  // CHECK: ascend.dma.in %{{.*}}[0, 0] [1, 64] -> %[[P:.*]] :
  // CHECK: ascend.dma.in %{{.*}}[1, 0] [1, 64] -> %[[Q:.*]] :
  // CHECK: scf.for
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (tensor<1x64xf32>, tensor<1x64xf32>) {
    // CHECK: ascend.vec.copy %[[Q]] -> %[[SPARE1:.*]], %c64
    // CHECK: ascend.vec.copy %[[P]] -> %[[SPARE2:.*]], %c64
    // CHECK: ascend.vec.copy %[[SPARE1]] -> %[[P]]
    // CHECK: ascend.vec.copy %[[SPARE2]] -> %[[Q]]
    scf.yield %b, %a : tensor<1x64xf32>, tensor<1x64xf32>
  }
  ascend.store %r#0, %x[0, 0] [1, 64] : tensor<1x64xf32> -> memref<?x64xf32, #gm>
  ascend.store %r#1, %x[1, 0] [1, 64] : tensor<1x64xf32> -> memref<?x64xf32, #gm>
  return
}

// CHECK-LABEL: func.func @branch
func.func @branch(%x: memref<?x64xf32, #gm>, %c: i1) {
  %t = ascend.load %x[0, 0] [1, 64] : memref<?x64xf32, #gm> -> tensor<1x64xf32>
  // CHECK: ascend.dma.in %{{.*}} -> %[[T:.*]] :
  // CHECK: %[[R:.*]] = ascend.buffer
  // CHECK: scf.if
  %r = scf.if %c -> tensor<1x64xf32> {
    // CHECK-NEXT: ascend.vec.unary <exp> %[[T]] -> %[[R]]
    %e = math.exp %t : tensor<1x64xf32>
    scf.yield %e : tensor<1x64xf32>
  // CHECK-NEXT: } else {
  } else {
    // CHECK-NEXT: ascend.vec.copy %[[T]] -> %[[R]]
    scf.yield %t : tensor<1x64xf32>
  }
  // CHECK: ascend.dma.out %[[R]]
  ascend.store %r, %x[0, 0] [1, 64] : tensor<1x64xf32> -> memref<?x64xf32, #gm>
  return
}

// Functions of the vendor's library may read operands after they began to write.
// CHECK-LABEL: func.func @library
func.func @library(%x: memref<?x64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = ascend.load %x[0, 0] [1, 64] : memref<?x64xf32, #gm> -> tensor<1x64xf32>
  // CHECK: ascend.dma.in %{{.*}} -> %[[OLD:.*]] :
  // CHECK: scf.for
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%old = %start) -> tensor<1x64xf32> {
    // CHECK-NOT: ascend.vec.unary <tanh> %[[OLD]] -> %[[OLD]]
    // CHECK: ascend.vec.unary <tanh> %[[OLD]] -> %[[NEW:.*]], %c64
    // CHECK: ascend.vec.copy %[[NEW]] -> %[[OLD]]
    %new = math.tanh %old : tensor<1x64xf32>
    scf.yield %new : tensor<1x64xf32>
  }
  ascend.store %end, %x[0, 0] [1, 64] : tensor<1x64xf32> -> memref<?x64xf32, #gm>
  return
}
