// Which cores work is decided once, and checked again on instructions.
// RUN: belay-opt %s --split-input-file --ascend-set-target=soc=Ascend310P3 --ascend-decide-cores | FileCheck %s
// RUN: belay-opt %s --split-input-file --ascend-set-target=soc=Ascend910B3 --ascend-decide-cores | FileCheck %s --check-prefix=ALL
// RUN: belay-opt %s --split-input-file --ascend-set-target=soc=Ascend310P3 --ascend-decide-cores --canonicalize | FileCheck %s --check-prefix=FOLD
// ALL-NOT: #ascend.cores<one

// CHECK: ascend.target = #ascend.target<"Ascend310P3">
#gm = #ascend.space<gm>
// CHECK-LABEL: @whole_blocks
// CHECK-SAME: ascend.cores = #ascend.cores<all>
// ALL-LABEL: @whole_blocks
func.func @whole_blocks(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}, %t: f32) attributes {ascend.kernel} {
  %i = ascend.core_index
  %s = ascend.splat %t [] : f32 -> tensor<1x64xf32>
  ascend.store %s, %y[%i] [64] : tensor<1x64xf32> -> memref<?xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
// CHECK-LABEL: @single_elements
// CHECK-SAME: ascend.cores = #ascend.cores<one>
// What a single core is and how many there are, it knows.
// FOLD-LABEL: @single_elements
// FOLD: %[[ZERO:.*]] = arith.constant 0 : index
// FOLD-NOT: ascend.core_
// FOLD: ascend.store %{{.*}}, %{{.*}}[%[[ZERO]]] [1]
func.func @single_elements(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}, %t: f32) attributes {ascend.kernel} {
  %i = ascend.core_index
  %n = ascend.core_count
  %k = arith.muli %i, %n : index
  %s = ascend.splat %t [] : f32 -> tensor<1x1xf32>
  ascend.store %s, %y[%k] [1] : tensor<1x1xf32> -> memref<?xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
// The launch decides, by the last dimension of the first argument.
// CHECK-LABEL: @by_extent
// CHECK-SAME: ascend.cores = #ascend.cores<one unless [0, 1, 8]>
// FOLD-LABEL: @by_extent
// FOLD: ascend.core_index
func.func @by_extent(%y: memref<?x?xf32, #gm> {ascend.role = #ascend.role<out>}, %t: f32) attributes {ascend.kernel} {
  %i = ascend.core_index
  %c1 = arith.constant 1 : index
  %cols = memref.dim %y, %c1 : memref<?x?xf32, #gm>
  %s = ascend.splat %t [%cols] : f32 -> tensor<1x?xf32, #ascend.capacity<1x64>>
  ascend.store %s, %y[%i, 0] [1, %cols] : tensor<1x?xf32, #ascend.capacity<1x64>> -> memref<?x?xf32, #gm>
  return
}

// -----
#gm = #ascend.space<gm>
// Who has returned would never come to a barrier.
// CHECK-LABEL: @barrier
// CHECK-SAME: ascend.cores = #ascend.cores<one>
func.func @barrier(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel} {
  ascend.sync_cores
  return
}
