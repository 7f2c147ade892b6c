//===- VerifySync.cpp - Are instructions ordered? -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/VerifySync.h"
#include "analysis/sync/OrderProof.h"
#include "dialect/PassTarget.h"
#include "targets/Target.h"

namespace belay::analysis {
#define GEN_PASS_DEF_VERIFYSYNC
#include "analysis/sync/VerifySync.h.inc"
} // namespace belay::analysis

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

namespace {
struct VerifySyncPass : analysis::impl::VerifySyncBase<VerifySyncPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc)
      return signalPassFailure();
    OrderProof Proof(Kernel, OrderRules::of(*Soc->arch));
    if (failed(Proof.run())) {
      Proof.emitErrors();
      signalPassFailure();
    }
    numPairs += Proof.pairs();
    numSteps += Proof.steps();
    if (showCost)
      Kernel.emitRemark() << "order of " << Proof.pairs() << " pairs, "
                          << Proof.steps() << " steps";
    markAllAnalysesPreserved();
  }
};
} // namespace
