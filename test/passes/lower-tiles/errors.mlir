// RUN: belay-opt %s --ascend-lower-tiles --split-input-file --verify-diagnostics

func.func @unknown(%x: memref<1x64xf32, #ascend.space<gm>>) {
  %t = ascend.load %x[0, 0] [1, 64] : memref<1x64xf32, #ascend.space<gm>> -> tensor<1x64xf32>
  // expected-error @+1 {{has no vector instruction yet}}
  %u = math.cbrt %t : tensor<1x64xf32>
  return
}

// -----
func.func @extents(%x: memref<?xf32, #ascend.space<gm>>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = ascend.load %x[0] [%n] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x64>>
  // expected-error @+1 {{the extents of a tile that a loop carries have to stay the same}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<1x?xf32, #ascend.capacity<1x64>> {
    %u = ascend.load %x[0] [%m] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x64>>
    scf.yield %u : tensor<1x?xf32, #ascend.capacity<1x64>>
  }
  return
}

// -----
func.func @no_conversion(%x: memref<64xi64, #ascend.space<gm>>) {
  %t = ascend.load %x[0] [64] : memref<64xi64, #ascend.space<gm>> -> tensor<1x64xi64>
  // expected-error @+1 {{has no conversion from 'i64' to 'i4'}}
  %u = arith.trunci %t : tensor<1x64xi64> to tensor<1x64xi4>
  return
}

// -----
func.func @while_extents(%x: memref<?xf32, #ascend.space<gm>>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %t = ascend.load %x[0] [%n] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x64>>
  // expected-error @+1 {{the extents of a tile that a loop carries have to stay the same}}
  %r:2 = scf.while (%k = %n, %a = %t) : (index, tensor<1x?xf32, #ascend.capacity<1x64>>) -> (index, tensor<1x?xf32, #ascend.capacity<1x64>>) {
    %go = arith.cmpi sgt, %k, %c0 : index
    scf.condition(%go) %k, %a : index, tensor<1x?xf32, #ascend.capacity<1x64>>
  } do {
  ^bb0(%k: index, %a: tensor<1x?xf32, #ascend.capacity<1x64>>):
    %u = ascend.load %x[0] [%m] : memref<?xf32, #ascend.space<gm>> -> tensor<1x?xf32, #ascend.capacity<1x64>>
    scf.yield %c0, %u : index, tensor<1x?xf32, #ascend.capacity<1x64>>
  }
  return
}

// -----
// Before the first iteration there is no such tile.
func.func @made_in_condition(%x: memref<?xf32, #ascend.space<gm>>, %key: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0) : (index) -> (index, tensor<1x1xf32>) {
    // expected-error @+1 {{a tile that is made in the condition of a loop is used after the loop; make it before the loop and in its body}}
    %t = ascend.load %x[%i] [1] : memref<?xf32, #ascend.space<gm>> -> tensor<1x1xf32>
    %e = tensor.extract %t[%c0, %c0] : tensor<1x1xf32>
    %go = arith.cmpf olt, %e, %key : f32
    scf.condition(%go) %i, %t : index, tensor<1x1xf32>
  } do {
  ^bb0(%i: index, %t: tensor<1x1xf32>):
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  ascend.store %r#1, %x[0] [1] : tensor<1x1xf32> -> memref<?xf32, #ascend.space<gm>>
  return
}
