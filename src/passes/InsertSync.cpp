//===- InsertSync.cpp - Order by flags and barriers -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "passes/Passes.h"
#include "passes/SyncLadder.h"
#include "passes/expand/Patterns.h"

namespace belay::passes {
#define GEN_PASS_DEF_INSERTSYNC
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::passes;

namespace {
struct InsertSyncPass : passes::impl::InsertSyncBase<InsertSyncPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc)
      return signalPassFailure();
    auto Rules = analysis::OrderRules::of(*Soc->arch);
    if (events)
      Rules.Events = events;
    LadderOptions Options;
    Options.MostRuns = runs;
    // The proof reads what the device will run.
    auto Expand = [&](func::FuncOp Clone) {
      return expandInstructions(Clone, *Soc->arch);
    };
    Options.PrepareClone = Expand;
    Options.FirstRung = firstRung;
    FailureOr<LadderResult> Done = orderInstructions(Kernel, Rules, Options);
    if (failed(Done))
      return signalPassFailure();
    unsigned Flags = Done->Plan.Flags.size(), Full = 0;
    for (const Barrier &Barrier : Done->Plan.Barriers)
      Full += !Barrier.On;
    unsigned Barriers = Done->Plan.Barriers.size() - Full;
    numFlags += Flags;
    numBarriers += Barriers;
    numFullBarriers += Full;
    numProofs += Done->Proofs;
    numSteps += Done->Steps;
    if (showCost)
      Kernel.emitRemark() << "ordered by " << Flags << " flags, " << Barriers
                          << " barriers and " << Full
                          << " barriers for all pipes; rung " << Done->Rung
                          << ", " << Done->Proofs << " proofs, " << Done->Steps
                          << " steps";
  }
};
} // namespace
