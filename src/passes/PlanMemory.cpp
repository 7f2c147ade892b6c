//===- PlanMemory.cpp - Where buffers lie ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
#include "passes/MemoryPlan.h"
#include "passes/Passes.h"

namespace belay::passes {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::passes;

namespace {
struct PlanMemoryPass : passes::impl::PlanMemoryBase<PlanMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc)
      return signalPassFailure();
    SlotCounters Counters;
    for (ascend::MemorySpace Memory : memoriesOf(Kernel)) {
      bool InUb = Memory == ascend::MemorySpace::UB;
      MemoryLimits Limits = memoryLimitsOf(Memory, *Soc);
      Limits.DoubleBuffer = doubleBuffer;
      Limits.Exact = exact;
      if (capacity && InUb)
        Limits.Capacity = capacity;
      MemoryPlan Plan = planMemory(Kernel, Limits);
      if (!Plan.fits()) {
        (void)Plan.complain();
        return signalPassFailure();
      }
      Plan.apply(Counters);
      numBytes += InUb ? Plan.Result.Bytes : 0;
      numDoubled += Plan.Doubled;
      numInPlace += Plan.InPlace;
    }
  }
};
} // namespace
