//===- VerifySync.td - Are instructions ordered? -----------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_SYNC_VERIFYSYNC_TD
#define BELAY_ANALYSIS_SYNC_VERIFYSYNC_TD

include "mlir/Pass/PassBase.td"

def VerifySync : Pass<"ascend-verify-sync", "::mlir::func::FuncOp"> {
  let summary = "Prove that instructions which share memory are ordered";
  let description = [{
    Shows for every number of iterations of every loop that no instruction starts
    while another may still use the same memory, one of them writing; that every
    wait has a set before it and no flag is raised twice; that nothing is left
    raised; and that events are within what the target has. Then no pipe waits
    for ever.

    The proof is by induction over loops: for each pipe and each instruction,
    which of its executions the pipe does not know to be complete. What holds
    before a loop and is kept by its body holds after any number of iterations.
  }];
  let options = [
    Option<"soc", "soc", "std::string", "",
           "The SoC, where the module has no ascend.target">,
    Option<"showCost", "show-cost", "bool", "false",
           "Say in a remark what the proof took">,
  ];
  let statistics = [
    Statistic<"numPairs", "pairs", "Pairs of instructions that share memory">,
    Statistic<"numSteps", "steps", "Operations executed on states">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

#endif // BELAY_ANALYSIS_SYNC_VERIFYSYNC_TD
