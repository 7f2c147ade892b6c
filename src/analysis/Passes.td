//===- Passes.td - What is proven of kernels ---------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_PASSES_TD
#define BELAY_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AscendProve : Pass<"ascend-prove", "::mlir::func::FuncOp"> {
  let summary = "Prove that a kernel is safe for every launch";
  let description = [{
    Works on kernels as tiles, right after the front end. For every operation it
    states what has to hold (docs/guarantees.md) and proves it from the
    kernel's `ascend.expects`, its loops and its conditions.

    What cannot be proven but can be checked on the device gets an
    `ascend.guard` in front of the operation and a warning; the rest, and
    everything with `deny`, is an error. Both come with values for which the
    property fails, where such are found, and with an `expects` that would
    settle it, where a simple one does.

    ```mlir
    // 'i + 256 <= x.size()' is not proven:
    %0 = arith.subi %size, %i : index
    %1 = arith.cmpi sge, %0, %c256 : index
    ascend.guard %1, "gm-out-of-bounds", "i + 256 <= x.size()"
    %t = ascend.load %x[%i] [256] : ...
    ```
  }];
  let options = [
    Option<"Deny", "deny", "bool", "false",
           "Refuse what is not proven instead of guarding it">,
    Option<"Report", "report", "bool", "false",
           "Remark on every kernel how much was proven">,
  ];
  let statistics = [
    Statistic<"NumObligations", "obligations", "Properties that have to hold">,
    Statistic<"NumProven", "proven", "Properties that always hold">,
    Statistic<"NumGuarded", "guarded", "Properties that a guard checks">,
    Statistic<"NumRefused", "refused", "Properties that nothing can ensure">,
    Statistic<"Microseconds", "microseconds", "Time for all proofs">,
  ];
  let dependentDialects = [
    "::belay::ascend::AscendDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

#endif // BELAY_ANALYSIS_PASSES_TD
