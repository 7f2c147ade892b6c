// Loops whose number of iterations nobody knows. Their tiles stay in one buffer, and all
// of their instructions are in the body.
// RUN: belay-opt %s --ascend-lower-tiles --canonicalize --cse | FileCheck %s

#gm = #ascend.space<gm>

// What the loop carries is computed in its place; the condition stays as it is.
// CHECK-LABEL: func.func @halve
func.func @halve(%x: memref<64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = ascend.load %x[0] [64] : memref<64xf32, #gm> -> tensor<1x64xf32>
  // CHECK: ascend.dma.in %{{.*}} -> %[[T:.*]] :
  // CHECK: %[[LEFT:.*]] = scf.while (%[[K:.*]] = %{{.*}}) : (index) -> index {
  %r:2 = scf.while (%k = %n, %old = %t) : (index, tensor<1x64xf32>) -> (index, tensor<1x64xf32>) {
    // CHECK-NEXT: %[[GO:.*]] = arith.cmpi sgt, %[[K]]
    // CHECK-NEXT: scf.condition(%[[GO]]) %[[K]] : index
    %go = arith.cmpi sgt, %k, %c0 : index
    scf.condition(%go) %k, %old : index, tensor<1x64xf32>
  } do {
  ^bb0(%k: index, %old: tensor<1x64xf32>):
    // CHECK: ascend.vec.binary <add> %[[T]], %[[T]] -> %[[T]]
    // CHECK-NOT: ascend.vec.copy
    // CHECK: scf.yield %{{.*}} : index
    %new = arith.addf %old, %old : tensor<1x64xf32>
    %next = arith.subi %k, %c1 : index
    scf.yield %next, %new : index, tensor<1x64xf32>
  }
  // CHECK: ascend.dma.out %[[T]]
  ascend.store %r#1, %x[0] [64] : tensor<1x64xf32> -> memref<64xf32, #gm>
  return
}

// The two change places, by way of a third buffer.
// CHECK-LABEL: func.func @exchange
func.func @exchange(%x: memref<64xf32, #gm>, %y: memref<64xf32, #gm>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = ascend.load %x[0] [64] : memref<64xf32, #gm> -> tensor<1x64xf32>
  %t = ascend.load %y[0] [64] : memref<64xf32, #gm> -> tensor<1x64xf32>
  // CHECK-DAG: ascend.dma.in %arg0{{.*}} -> %[[A:.*]] :
  // CHECK-DAG: ascend.dma.in %arg1{{.*}} -> %[[B:.*]] :
  %r:3 = scf.while (%k = %n, %a = %s, %b = %t) : (index, tensor<1x64xf32>, tensor<1x64xf32>) -> (index, tensor<1x64xf32>, tensor<1x64xf32>) {
    %go = arith.cmpi sgt, %k, %c0 : index
    scf.condition(%go) %k, %a, %b : index, tensor<1x64xf32>, tensor<1x64xf32>
  } do {
  ^bb0(%k: index, %a: tensor<1x64xf32>, %b: tensor<1x64xf32>):
    // CHECK: ascend.vec.copy %[[B]] -> %[[C:[a-z0-9]*]],
    // CHECK: ascend.vec.copy %[[A]] -> %[[D:[a-z0-9]*]],
    // CHECK: ascend.vec.copy %[[C]] -> %[[A]],
    // CHECK: ascend.vec.copy %[[D]] -> %[[B]],
    %next = arith.subi %k, %c1 : index
    scf.yield %next, %b, %a : index, tensor<1x64xf32>, tensor<1x64xf32>
  }
  ascend.store %r#1, %y[0] [64] : tensor<1x64xf32> -> memref<64xf32, #gm>
  ascend.store %r#2, %x[0] [64] : tensor<1x64xf32> -> memref<64xf32, #gm>
  return
}

// The condition loads: it is computed in the body, and the rest under what it says.
// CHECK-LABEL: func.func @find
func.func @find(%x: memref<?xf32, #gm>, %n: index, %key: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  // CHECK: %[[R:.*]] = scf.while (%[[GOES:.*]] = %true, %{{.*}} = %c0) : (i1, index) -> index {
  // CHECK-NEXT: scf.condition(%[[GOES]])
  // CHECK-NEXT: } do {
  // CHECK-NEXT: ^bb0(%[[I:.*]]: index):
  %r = scf.while (%i = %c0) : (index) -> index {
    // CHECK-NEXT: %[[IN:.*]] = arith.cmpi slt, %[[I]]
    // CHECK: %[[GO:.*]] = scf.if %[[IN]] -> (i1) {
    // CHECK: ascend.dma.in
    // CHECK: ascend.scalar.read
    // CHECK: %[[NEXT:.*]] = scf.if %[[GO]] -> (index) {
    // CHECK: } else {
    // CHECK-NEXT: scf.yield %[[I]]
    // CHECK: scf.yield %[[GO]], %[[NEXT]]
    %in = arith.cmpi slt, %i, %n : index
    %go = scf.if %in -> i1 {
      %t = ascend.load %x[%i] [1] : memref<?xf32, #gm> -> tensor<1x1xf32>
      %e = tensor.extract %t[%c0, %c0] : tensor<1x1xf32>
      %below = arith.cmpf olt, %e, %key : f32
      scf.yield %below : i1
    } else {
      scf.yield %false : i1
    }
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  // CHECK: return %[[R]] : index
  return %r : index
}

// What the condition computes, and the loop ends with, is carried as well.
// CHECK-LABEL: func.func @computed
func.func @computed(%x: memref<?xf32, #gm>, %n: index, %key: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[R:.*]]:2 = scf.while (%{{.*}} = %true, %{{.*}} = %c0, %{{.*}} = %cst) : (i1, index, f32) -> (index, f32)
  %r:2 = scf.while (%i = %c0) : (index) -> (index, f32) {
    // CHECK: %[[E:.*]] = ascend.scalar.read
    // CHECK: scf.yield %{{.*}}, %{{.*}}, %[[E]] : i1, index, f32
    %t = ascend.load %x[%i] [1] : memref<?xf32, #gm> -> tensor<1x1xf32>
    %e = tensor.extract %t[%c0, %c0] : tensor<1x1xf32>
    %go = arith.cmpf olt, %e, %key : f32
    scf.condition(%go) %i, %e : index, f32
  } do {
  ^bb0(%i: index, %e: f32):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  // CHECK: return %[[R]]#1
  return %r#1 : f32
}
