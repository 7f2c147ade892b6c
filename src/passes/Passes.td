//===- Passes.td - From tiles to instructions --------------*- tablegen -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_PASSES_TD
#define BELAY_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

defvar SocOption = Option<"soc", "soc", "std::string", "",
                          "The SoC, where the module has no ascend.target">;

def SetTarget : Pass<"ascend-set-target", "::mlir::ModuleOp"> {
  let summary = "Write down which SoC a module is for";
  let description = [{
    Sets the module's `ascend.target`, which every later pass and the emission
    read.

    ```mlir
    module {}
    // becomes, with soc=Ascend310P3
    module attributes {ascend.target = #ascend.target<"Ascend310P3">} {}
    ```
  }];
  let options = [
    Option<"soc", "soc", "std::string", "\"Ascend910B3\"",
           "The SoC that the kernels are for">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def LowerTiles : Pass<"ascend-lower-tiles", "::mlir::func::FuncOp"> {
  let summary = "Give tiles buffers, and write kernels as instructions";
  let description = [{
    Each tile becomes an `ascend.buffer` in the unified buffer whose rows begin
    at multiples of 32 bytes; a tile of one column is packed. Loads and stores
    become copies, mathematics becomes vector instructions, scalars stay.

    A tile that a loop carries keeps one buffer; what the loop yields is computed
    into it where nobody needs the old value any more, and copied otherwise. The
    same value everywhere stays a scalar until an instruction needs a buffer.
  }];
  let options = [SocOption];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers made for tiles">,
    Statistic<"numCopies", "copies", "Copies between buffers">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def Schedule : Pass<"ascend-schedule", "::mlir::func::FuncOp"> {
  let summary = "Bring together what can wait together";
  let description = [{
    Between loops, branches, guards and meetings of cores, copies in go as early
    as what they depend on allows, copies out as late, so that one flag serves
    several; and vector instructions that do not depend on each other go side by
    side, so that one barrier does. What is then in memory at the same time may
    be more: if the buffers no longer fit, or copied ones no longer have two
    slots, everything stays where it was.
  }];
  let options = [
    SocOption,
    Option<"capacity", "capacity", "unsigned", "0",
           "Bytes of the unified buffer instead of what the SoC has">,
  ];
  let statistics = [
    Statistic<"numKept", "kept", "Kernels whose order stays, for want of memory">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def PlanMemory : Pass<"ascend-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Decide where buffers lie";
  let description = [{
    Buffers whose lives do not meet share memory. What is copied in or out in a
    loop gets two slots in turn, so that copies run while the vector unit works,
    as far as memory allows; then buffers that copies touch keep memory of their
    own. If neither fits, lives alone decide. Vector instructions that need no
    barrier between them get none by sharing memory, and the last ones of a
    loop's turn none before the first of the next, if there is memory for that
    as well. The largest buffers are placed first; where that does not fit, up to
    `exact` buffers are tried in all orders.

    Fails, with a table, if the buffers do not fit the target.
  }];
  let options = [
    SocOption,
    Option<"doubleBuffer", "double-buffer", "bool", "true",
           "Give copied buffers two slots in loops">,
    Option<"exact", "exact", "unsigned", "10",
           "Search for the tightest plan up to so many buffers">,
    Option<"capacity", "capacity", "unsigned", "0",
           "Bytes to plan for instead of what the SoC has">,
  ];
  let statistics = [
    Statistic<"numBytes", "bytes", "Bytes of the unified buffer in use">,
    Statistic<"numDoubled", "doubled", "Buffers with two slots">,
    Statistic<"numInPlace", "in-place", "Results that replace an operand">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

def InsertSync : Pass<"ascend-insert-sync", "::mlir::func::FuncOp"> {
  let summary = "Order the pipes by flags and barriers";
  let description = [{
    Runs the kernel symbolically: each pipe has a clock of what it knows to be
    complete. At the first instruction that touches what another may still be
    using, a flag between the two pipes (or a barrier inside one) is added, and
    the kernel is run again, until nothing is left. A dependence from one turn of
    a loop to the next is raised once before the outermost loop around it and
    awaited once behind that. What others have made superfluous goes again, and
    in loops with two slots one flag takes the place of several between the same
    pipes where it can.

    Flags that never meet share an event where there are too few. Where none is
    left for a pair of pipes, a barrier for all pipes takes its place, with a
    remark.
  }];
  let options = [
    SocOption,
    Option<"events", "events", "unsigned", "0",
           "Events of each pair of pipes, instead of what the SoC has">,
  ];
  let statistics = [
    Statistic<"numFlags", "flags", "Pairs of set and wait">,
    Statistic<"numBarriers", "barriers", "Barriers inside one pipe">,
    Statistic<"numFullBarriers", "full-barriers", "Barriers for all pipes">,
  ];
  let dependentDialects = ["::belay::ascend::AscendDialect"];
}

#endif // BELAY_PASSES_PASSES_TD
