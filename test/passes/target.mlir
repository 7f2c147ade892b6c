// The module says what it is for; an option cannot contradict it.
// RUN: belay-opt %s --ascend-plan-memory=soc=310P3 | FileCheck %s
// RUN: not belay-opt %s --ascend-plan-memory=soc=Ascend910B3 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not belay-translate %s --ascend-to-ascendc --from-core --soc=Ascend910B3 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: belay-opt %s --ascend-plan-memory | belay-translate --ascend-to-ascendc --from-core | FileCheck %s --check-prefix=TEXT
// CHECK: ascend.target = #ascend.target<"Ascend310P3">
// OTHER: error: the module is for Ascend310P3, the pass for Ascend910B3
// TEXT: // Made by Belay for Ascend310P3.
module attributes {ascend.target = #ascend.target<"Ascend310P3">} {
  func.func @k() attributes {ascend.kernel, ascend.cores = #ascend.cores<all>} {
    %b = ascend.buffer : memref<1x64xf32, #ascend.space<ub>>
    return
  }
}
