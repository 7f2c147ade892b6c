// A decision that is too weak for what the kernel does is refused, at either
// level; so is a target that contradicts the pass.
// RUN: belay-opt %s --split-input-file --verify-diagnostics --ascend-decide-cores

#gm = #ascend.space<gm>
module attributes {ascend.target = #ascend.target<"Ascend310P3">} {
  func.func @tiles(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}, %t: f32) attributes {ascend.kernel, ascend.cores = #ascend.cores<all>} {
    %i = ascend.core_index
    %s = ascend.splat %t [] : f32 -> tensor<1x1xf32>
    // expected-error @+1 {{cores of Ascend310P3 would write next to each other here}}
    ascend.store %s, %y[%i] [1] : tensor<1x1xf32> -> memref<?xf32, #gm>
    return
  }
}

// -----
#gm = #ascend.space<gm>
#ub = #ascend.space<ub>
module attributes {ascend.target = #ascend.target<"Ascend310P3">} {
  func.func @instructions(%y: memref<?xf32, #gm> {ascend.role = #ascend.role<out>}) attributes {ascend.kernel, ascend.cores = #ascend.cores<one unless [0, 0, 8]>} {
    %i = ascend.core_index
    %b = ascend.buffer at 0 : memref<1x1xf32, #ub>
    // expected-error @+1 {{cores of Ascend310P3 would write next to each other here}}
    ascend.dma.out %b -> %y[%i] [1] : memref<1x1xf32, #ub> -> memref<?xf32, #gm>
    return
  }
}

// -----
// expected-error @+1 {{there is no SoC 'Ascend1'}}
module attributes {ascend.target = #ascend.target<"Ascend1">} {}

// -----
// expected-error @+1 {{names extent 1 of argument 0, which is none}}
func.func @none(%n: index) attributes {ascend.kernel, ascend.cores = #ascend.cores<one unless [0, 1, 8]>} {
  return
}

// -----
// expected-error @+1 {{an extent has a divisor of at least 1}}
func.func @divisor(%n: index) attributes {ascend.kernel, ascend.cores = #ascend.cores<one unless [0, 1, 0]>} {
  return
}
