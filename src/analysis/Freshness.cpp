//===- Freshness.cpp - What the data cache may have of views --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Freshness.h"

#include "analysis/InstructionObligations.h"
#include "analysis/Views.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using ascend::CacheCleanOp;
using ascend::GlobalReadOp;
using ascend::GlobalWriteOp;

//===----------------------------------------------------------------------===//
// Where cleanings hold
//===----------------------------------------------------------------------===//

static bool isGlobal(Value Operand) {
  auto Type = dyn_cast<MemRefType>(Operand.getType());
  return Type && ascend::getSpace(Type) == ascend::MemorySpace::GM;
}

/// Whether an operation neither moves data nor waits for another core.
static bool isNeutral(Operation *Op) {
  return isMemoryEffectFree(Op) || Op->hasTrait<OpTrait::IsTerminator>() ||
         isa<GlobalWriteOp, ascend::BufferOp, ascend::FlagSetOp,
             ascend::FlagWaitOp, ascend::BarrierOp, ascend::GuardOp,
             ascend::ExpectsOp>(Op);
}

/// Forgets what was cleaned of the arguments that an operation writes to, other
/// than through the cache of this core: all, if that is not known.
static void forgetWritten(Operation *Op, Freshness::Cleans &State) {
  if (isNeutral(Op))
    return;
  auto Instruction = dyn_cast<ascend::InstructionInterface>(Op);
  std::optional<SmallVector<MemoryEffects::EffectInstance>> Effects;
  if (Instruction)
    Effects = getEffectsRecursively(Op);
  if (!Effects)
    return State.clear();
  for (const MemoryEffects::EffectInstance &Effect : *Effects) {
    Value To = Effect.getValue();
    if (!isa<MemoryEffects::Write>(Effect.getEffect()) || !To || !isGlobal(To))
      continue;
    State.remove_if([&](CacheCleanOp Clean) {
      return rootOf(Clean.getView()) == rootOf(To);
    });
  }
}

static void intersect(Freshness::Cleans &State,
                      const Freshness::Cleans &Other) {
  State.remove_if([&](CacheCleanOp Clean) { return !Other.contains(Clean); });
}

Freshness::Freshness(func::FuncOp Kernel) {
  Cleans State;
  run(Kernel.front(), State);
}

void Freshness::run(Block &Block, Cleans &State) {
  for (Operation &Op : Block)
    runOp(&Op, State);
}

/// What holds at the head holds before the loop and after each iteration of it.
void Freshness::runLoop(Operation *Loop, Cleans &State) {
  Cleans AtHead;
  do {
    AtHead = State;
    Cleans AtEnd = State;
    for (Region &Region : Loop->getRegions())
      run(Region.front(), AtEnd);
    intersect(State, AtEnd);
  } while (State.size() != AtHead.size());
}

void Freshness::runOp(Operation *Op, Cleans &State) {
  if (auto Clean = dyn_cast<CacheCleanOp>(Op)) {
    State.insert(Clean);
  } else if (auto Read = dyn_cast<GlobalReadOp>(Op)) {
    // What a cleaning in another region computed with is not known here.
    Cleans Here = State;
    Here.remove_if([&](CacheCleanOp Clean) {
      return !Clean->getParentRegion()->isAncestor(Read->getParentRegion());
    });
    AtReads[Read] = std::move(Here);
  } else if (isa<LoopLikeOpInterface>(Op)) {
    runLoop(Op, State);
  } else if (auto If = dyn_cast<scf::IfOp>(Op)) {
    Cleans Then = State;
    run(If.getThenRegion().front(), Then);
    if (!If.getElseRegion().empty())
      run(If.getElseRegion().front(), State);
    intersect(State, Then);
  } else if (Op->getNumRegions()) {
    State.clear();
  } else {
    forgetWritten(Op, State);
  }
}

ArrayRef<CacheCleanOp> Freshness::before(GlobalReadOp Read) const {
  auto Known = AtReads.find(Read);
  return Known == AtReads.end() ? ArrayRef<CacheCleanOp>()
                                : Known->second.getArrayRef();
}

//===----------------------------------------------------------------------===//
// What is cleaned
//===----------------------------------------------------------------------===//

Obligation analysis::isCleaned(GlobalReadOp Read, CacheCleanOp Clean,
                               Terms &T) {
  Obligation Result{UnprovenInstruction,
                    "an element that the cache was cleaned of",
                    {},
                    {},
                    /*IsCode=*/false};
  if (Read.getView() != Clean.getView()) {
    Result.Violations.push_back({});
    return Result;
  }
  for (auto [At, From, Size] :
       llvm::zip_equal(Read.getMixedOffsets(), Clean.getMixedOffsets(),
                       Clean.getMixedSizes())) {
    // Of a single line no more than its first element is known to be in it.
    Linear Place = T.of(At) - T.of(From);
    Linear Cleaned = Clean.getAll() ? T.of(Size) : Linear(1);
    Result.Violations.push_back({less(Place, 0)});
    Result.Violations.push_back({Place - Cleaned});
  }
  return Result;
}

bool analysis::isCleanedAfter(GlobalWriteOp Write) {
  Operation *Next = Write->getNextNode();
  while (Next && isMemoryEffectFree(Next) && !Next->getNumRegions())
    Next = Next->getNextNode();
  auto Clean = dyn_cast_or_null<CacheCleanOp>(Next);
  return Clean && Clean.getView() == Write.getView() &&
         Clean.getMixedOffsets() == Write.getMixedOffsets();
}
