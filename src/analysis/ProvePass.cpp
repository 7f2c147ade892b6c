//===- ProvePass.cpp - ascend-prove ---------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Passes.h"
#include "analysis/Prover.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <chrono>

namespace belay::analysis {
#define GEN_PASS_DEF_ASCENDPROVE
#include "analysis/Passes.h.inc"
} // namespace belay::analysis

using namespace mlir;
using namespace belay;

namespace {
struct AscendProve : analysis::impl::AscendProveBase<AscendProve> {
  using AscendProveBase::AscendProveBase;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (!Kernel->hasAttr(ascend::AscendDialect::KernelAttr) ||
        Kernel.isDeclaration())
      return markAllAnalysesPreserved();
    auto Start = std::chrono::steady_clock::now();
    analysis::ProofCounts Counts = analysis::proveKernel(Kernel, Deny);
    Microseconds += std::chrono::duration_cast<std::chrono::microseconds>(
                        std::chrono::steady_clock::now() - Start)
                        .count();
    NumObligations += Counts.Obligations;
    NumProven += Counts.Proven;
    NumGuarded += Counts.Guarded;
    NumRefused += Counts.Refused;
    if (Report)
      Kernel.emitRemark() << Counts.Proven << " of " << Counts.Obligations
                          << " properties proven, " << Counts.Guarded
                          << " guarded";
    if (Counts.Refused)
      signalPassFailure();
  }
};
} // namespace
