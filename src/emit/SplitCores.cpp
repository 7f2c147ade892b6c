//===- SplitCores.cpp - The part of a kernel that one core runs -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/SplitCores.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::emit;

/// The core that executes an operation; nothing for what both do.
static std::optional<Core> coreOf(Operation *Op) {
  if (auto Instruction = dyn_cast<InstructionInterface>(Op))
    return ascend::coreOf(Instruction.getPipe());
  if (auto Set = dyn_cast<FlagSetOp>(Op))
    return ascend::coreOf(Set.getFrom());
  if (auto Wait = dyn_cast<FlagWaitOp>(Op))
    return ascend::coreOf(Wait.getTo());
  if (auto Barrier = dyn_cast<BarrierOp>(Op); Barrier && Barrier.getPipe())
    return ascend::coreOf(*Barrier.getPipe());
  return std::nullopt;
}

UsedCores emit::coresOf(func::FuncOp Kernel) {
  UsedCores Result;
  Kernel.walk([&](InstructionInterface Op) {
    (ascend::coreOf(Op.getPipe()) == Core::Cube ? Result.Cube : Result.Vector) =
        true;
  });
  return Result;
}

/// Instructions, flags and barriers of a core that nothing may leave out, those
/// of all cores included; what only reads a number for the other one may go.
static size_t countOf(func::FuncOp Kernel, Core Core) {
  size_t Count = 0;
  Kernel.walk([&](Operation *Op) {
    Count +=
        !Op->getNumResults() && (coreOf(Op) == Core || isa<SyncCoresOp>(Op));
  });
  return Count;
}

LogicalResult emit::keepCore(func::FuncOp Kernel, Core Core) {
  const size_t Proven = countOf(Kernel, Core);
  auto IsOther = [&](Operation *Op) {
    std::optional<ascend::Core> Here = coreOf(Op);
    return Here && *Here != Core;
  };
  Kernel.walk([&](Operation *Op) {
    if (IsOther(Op) && !Op->getNumResults())
      Op->erase();
  });
  // What only fed the other core goes, with loops that have nothing else.
  RewritePatternSet Patterns(Kernel.getContext());
  scf::ForOp::getCanonicalizationPatterns(Patterns, Kernel.getContext());
  GreedyRewriteConfig Config;
  Config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  if (failed(applyPatternsGreedily(Kernel, std::move(Patterns), Config)))
    return Kernel.emitError("the part of one core could not be found");
  Kernel.walk([](BufferOp Buffer) {
    if (Buffer->use_empty())
      Buffer.erase();
  });
  bool Complete = true;
  Kernel.walk([&](Operation *Op) {
    if (!IsOther(Op))
      return;
    // The driver keeps what reads memory.
    if (Op->use_empty()) {
      Op->erase();
      return;
    }
    Complete = false;
    Op->emitError("a number that one core reads decides what the other core "
                  "does, which has no way to know it [not-emitted]");
  });
  // What was proven is what is emitted.
  if (countOf(Kernel, Core) != Proven)
    return Kernel.emitError("an instruction was lost between the proof and the "
                            "code of one core");
  return success(Complete);
}
