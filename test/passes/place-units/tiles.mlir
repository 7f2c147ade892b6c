// Tiles that one core makes and the other needs go through a workspace.
// RUN: belay-opt %s --ascend-place-units | FileCheck %s

#gm = #ascend.space<gm>
!view = memref<?x?xf16, #gm>
!out = memref<?x?xf32, #gm>
!half = tensor<?x?xf16, #ascend.capacity<32x64>>
!side = tensor<?x?xf16, #ascend.capacity<64x48>>
!sums = tensor<?x?xf32, #ascend.capacity<32x48>>
!both = memref<?x32x48xf32, #gm>

module attributes {ascend.target = #ascend.target<"Ascend910B3">} {

// What is rounded and stored stays on the cube core.
// CHECK-LABEL: func.func @stored(
// CHECK-NOT: percore
// CHECK-NOT: ascend.load {{.*}} -> tensor<?x?xf32
func.func @stored(%x: !view, %y: !view, %z: !view, %m: index, %n: index, %k: index) {
  %a = ascend.load %x[0, 0] [%m, %k] : !view -> !half
  %b = ascend.load %y[0, 0] [%k, %n] : !view -> !side
  %d = ascend.dot %a, %b : !half, !side -> !sums
  %h = arith.truncf %d : !sums to tensor<?x?xf16, #ascend.capacity<32x48>>
  ascend.store %h, %z[0, 0] [%m, %n] : tensor<?x?xf16, #ascend.capacity<32x48>> -> !view
  return
}

// CHECK-LABEL: func.func @epilogue(
// CHECK-SAME: %[[W:arg[0-9]+]]: memref<?x32x48xf32, #ascend.space<gm>> {ascend.role = #ascend.role<percore>}
// CHECK: %[[CORE:.*]] = ascend.core_index
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: ascend.store %[[SUM]], %[[W]][%[[CORE]], 0, 0] [1, %[[M:.*]], %[[N:.*]]]
// CHECK: %[[BACK:.*]] = ascend.load %[[W]][%[[CORE]], 0, 0] [1, %[[M]], %[[N]]]
// CHECK: math.exp %[[BACK]]
func.func @epilogue(%x: !view, %y: !view, %z: !out, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %s = ascend.splat %f0[%m, %n] : f32 -> !sums
  %r = scf.for %i = %c0 to %k step %c64 iter_args(%t = %s) -> (!sums) {
    %a = ascend.load %x[0, %i] [%m, 64] : !view -> !half
    %b = ascend.load %y[%i, 0] [64, %n] : !view -> !side
    %d = ascend.dot %a, %b : !half, !side -> !sums
    %u = arith.addf %t, %d : !sums
    scf.yield %u : !sums
  }
  %e = math.exp %r : !sums
  ascend.store %e, %z[0, 0] [%m, %n] : !sums -> !out
  return
}

// A product that is added to what is no sum is the vector core's to add.
// CHECK-LABEL: func.func @rescaled(
// CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] =
// CHECK: %[[D:.*]] = ascend.dot
// CHECK: ascend.store %[[D]], %{{.*}} [1,
// CHECK: %[[BACK:.*]] = ascend.load %{{.*}} [1,
// CHECK: %[[HALF:.*]] = arith.mulf %[[OLD]]
// CHECK: arith.addf %[[HALF]], %[[BACK]]
func.func @rescaled(%x: !view, %y: !view, %z: !out, %m: index, %n: index, %k: index, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %s = ascend.splat %f0[%m, %n] : f32 -> !sums
  %by = ascend.splat %scale[%m, %n] : f32 -> !sums
  %r = scf.for %i = %c0 to %k step %c64 iter_args(%t = %s) -> (!sums) {
    %a = ascend.load %x[0, %i] [%m, 64] : !view -> !half
    %b = ascend.load %y[%i, 0] [64, %n] : !view -> !side
    %d = ascend.dot %a, %b : !half, !side -> !sums
    %h = arith.mulf %t, %by : !sums
    %u = arith.addf %h, %d : !sums
    scf.yield %u : !sums
  }
  ascend.store %r, %z[0, 0] [%m, %n] : !sums -> !out
  return
}

// An operand that is computed goes out and in again; one that is loaded for the
// vector core as well is loaded twice.
// CHECK-LABEL: func.func @operands(
// CHECK: %[[X:.*]] = ascend.load %arg0
// CHECK: %[[OWN:.*]] = ascend.load %arg0
// CHECK: %[[P:.*]] = math.exp %[[X]]
// CHECK: ascend.store %[[P]], %[[W:.*]][%{{.*}}, 0, 0]
// CHECK: %[[IN:.*]] = ascend.load %[[W]][%{{.*}}, 0, 0]
// CHECK: ascend.dot %[[IN]],
func.func @operands(%x: !view, %y: !view, %z: !out, %m: index, %n: index, %k: index) {
  %a = ascend.load %x[0, 0] [%m, %k] : !view -> !half
  %p = math.exp %a : !half
  %b = ascend.load %y[0, 0] [%k, %n] : !view -> !side
  %d = ascend.dot %p, %b : !half, !side -> !sums
  ascend.store %d, %z[0, 0] [%m, %n] : !sums -> !out
  %e = ascend.dot %a, %b : !half, !side -> !sums
  ascend.store %e, %z[0, 0] [%m, %n] : !sums -> !out
  return
}

// Two sums that begin with the same zeros have their own.
// CHECK-LABEL: func.func @two_sums(
// CHECK-COUNT-2: ascend.splat
func.func @two_sums(%x: !view, %y: !view, %z: !out, %m: index, %n: index, %k: index) {
  %f0 = arith.constant 0.0 : f32
  %s = ascend.splat %f0[%m, %n] : f32 -> !sums
  %a = ascend.load %x[0, 0] [%m, %k] : !view -> !half
  %b = ascend.load %y[0, 0] [%k, %n] : !view -> !side
  %d = ascend.dot %a, %b : !half, !side -> !sums
  %t = arith.addf %s, %d : !sums
  ascend.store %t, %z[0, 0] [%m, %n] : !sums -> !out
  %e = ascend.dot %a, %b : !half, !side -> !sums
  %u = arith.addf %s, %e : !sums
  ascend.store %u, %z[0, 0] [%m, %n] : !sums -> !out
  return
}
}
