//===- SyncPlan.cpp - Flags and barriers to be ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/SyncPlan.h"
#include "dialect/Pipes.h"
#include "passes/Conflicts.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::passes;

LoopLikeOpInterface Flag::outermost() {
  LoopLikeOpInterface Outermost = CarriedBy;
  for (LoopLikeOpInterface Loop = CarriedBy; Loop;
       Loop = Loop->getParentOfType<LoopLikeOpInterface>())
    Outermost = Loop;
  return Outermost;
}

bool Flag::sharesEventsWith(const Flag &Other) const {
  bool Cross = isBetweenCores(From, To);
  if (Cross != isBetweenCores(Other.From, Other.To))
    return false;
  // One set of numbers serves both directions: manuals do not say whether two
  // could be told apart.
  return Cross || (From == Other.From && To == Other.To);
}

bool Flag::hasEventOf(const Flag &Other) const {
  return sharesEventsWith(Other) && Other.Event < Event + events() &&
         Event < Other.Event + Other.events();
}

bool SyncPlan::addBarrier(Barrier New) {
  for (Barrier &Other : Barriers)
    if (Other.Before == New.Before && Other.On == New.On) {
      Other.Pinned |= New.Pinned;
      return false;
    }
  Barriers.push_back(std::move(New));
  return true;
}

static Value slotValueOf(scf::ForOp Loop) {
  for (BufferOp Buffer : Loop.getBody()->getOps<BufferOp>())
    if (Buffer.getSlot() && slotLoopOf(Buffer.getSlot()) == Loop)
      return Buffer.getSlot();
  return {};
}

namespace {
class PlanWriter {
public:
  PlanWriter(OperationMap Map, WrittenCallback Written, MLIRContext *Context)
      : Map(Map), Written(Written), Builder(Context) {}

  void write(SyncPlan &Plan);

private:
  void set(Flag &F, unsigned Index, Operation *At, Value Slot);
  void wait(Flag &F, unsigned Index, Operation *At, Value Slot);

  OperationMap Map;
  WrittenCallback Written;
  OpBuilder Builder;
};
} // namespace

void PlanWriter::set(Flag &F, unsigned Index, Operation *At, Value Slot) {
  Written(FlagSetOp::create(Builder, At->getLoc(), F.From, F.To, F.Event, Slot),
          Index, At);
}

void PlanWriter::wait(Flag &F, unsigned Index, Operation *At, Value Slot) {
  Written(
      FlagWaitOp::create(Builder, At->getLoc(), F.From, F.To, F.Event, Slot),
      Index, At);
}

/// What comes last is next to its operation: after a loop, the flags that it
/// carries are awaited first; before it, they are raised last.
void PlanWriter::write(SyncPlan &Plan) {
  for (auto [I, F] : llvm::enumerate(Plan.Flags)) {
    Value Slot;
    if (F.SlotLoop)
      Slot = slotValueOf(cast<scf::ForOp>(Map(F.SlotLoop)));
    Builder.setInsertionPointAfter(Map(F.After));
    set(F, I, F.After, Slot);
    Builder.setInsertionPoint(Map(F.Before));
    wait(F, I, F.Before, Slot);
  }
  for (Barrier &B : Plan.Barriers) {
    Builder.setInsertionPoint(Map(B.Before));
    Written(BarrierOp::create(Builder, B.Before->getLoc(),
                              B.On ? PipeAttr::get(Builder.getContext(), *B.On)
                                   : PipeAttr()),
            std::nullopt, B.Before);
  }
  for (auto [I, F] : llvm::enumerate(Plan.Flags)) {
    if (!F.CarriedBy)
      continue;
    LoopLikeOpInterface Around = F.outermost();
    Operation *There = Map(Around);
    for (unsigned Slot = 0; Slot < F.events(); ++Slot, ++F.Event) {
      Builder.setInsertionPoint(There);
      set(F, I, Around, {});
      Builder.setInsertionPointAfter(There);
      wait(F, I, Around, {});
    }
  }
}

void belay::passes::writePlan(SyncPlan Plan, OperationMap Map,
                              WrittenCallback Written) {
  Operation *Any = !Plan.Flags.empty()      ? Plan.Flags[0].After
                   : !Plan.Barriers.empty() ? Plan.Barriers[0].Before
                                            : nullptr;
  if (Any)
    PlanWriter(Map, Written, Any->getContext()).write(Plan);
}
