//===- InsertSync.cpp - Order by flags and barriers -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/SyncTrace.h"
#include "targets/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace belay::passes {
#define GEN_PASS_DEF_INSERTSYNC
#include "passes/Passes.h.inc"
} // namespace belay::passes

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

namespace {

class SyncInserter {
public:
  SyncInserter(func::FuncOp Kernel, const targets::Arch &Arch, unsigned Events)
      : Kernel(Kernel), Events(Events), Trace(Kernel, Arch.vectorInterlock) {}

  LogicalResult run();
  void apply();

  SyncPlan Plan;

private:
  LogicalResult solve();
  LogicalResult mend(const Violation &Wrong);
  LogicalResult order(const Violation &Wrong);
  LogicalResult addBarrier(Operation *Before, std::optional<Pipe> On);
  void slowDown(unsigned Flag);
  void addFlag(Operation *After, Operation *Before, Pipe From, Pipe To,
               scf::ForOp CarriedBy, scf::ForOp SlotLoop);
  bool assignEvents();
  bool findEvent(unsigned Flag, ArrayRef<bool> Assigned);
  void degrade(unsigned Flag, const char *Why);
  unsigned eventsOf(const Flag &Flag) const;
  void emit(OpBuilder &Builder, Flag &Flag, bool Set, Value Slot);

  func::FuncOp Kernel;
  unsigned Events;
  SyncTrace Trace;
};

} // namespace

//===----------------------------------------------------------------------===//
// Mending one violation at a time
//===----------------------------------------------------------------------===//

/// While they are not assigned, every flag has events of its own.
static constexpr unsigned FirstOwnEvent = 1000;

void SyncInserter::addFlag(Operation *After, Operation *Before, Pipe From,
                           Pipe To, scf::ForOp CarriedBy, scf::ForOp SlotLoop) {
  unsigned Event = FirstOwnEvent + 2 * Plan.Flags.size();
  Plan.Flags.push_back({After, Before, From, To, CarriedBy, SlotLoop, Event});
}

/// Fails instead of adding the same barrier for ever.
LogicalResult SyncInserter::addBarrier(Operation *Before,
                                       std::optional<Pipe> On) {
  for (const Barrier &Other : Plan.Barriers)
    if (Other.Before == Before && Other.On == On)
      return Before->emitOpError("cannot be ordered");
  Plan.Barriers.push_back({Before, On});
  return success();
}

/// Makes Second wait for First.
LogicalResult SyncInserter::order(const Violation &Wrong) {
  Operation *First = Wrong.First->Op, *Second = Wrong.Second->Op;
  // Where their ways part: in different turns of a loop, or one behind the
  // other in some block.
  scf::ForOp CarriedBy;
  unsigned Distance = 0;
  for (auto [A, B] : llvm::zip(Wrong.FirstPath, Wrong.SecondPath)) {
    if (A == B)
      continue;
    if (A.first == B.first) {
      CarriedBy = dyn_cast<scf::ForOp>(A.first);
      Distance = B.second - A.second;
    }
    break;
  }
  Block *Common = CarriedBy ? CarriedBy.getBody() : nullptr;
  for (Operation *Up = First; !Common; Up = Up->getParentOp())
    if (Up->getBlock()->findAncestorOpInBlock(*Second))
      Common = Up->getBlock();
  Operation *After = Common->findAncestorOpInBlock(*First);
  Operation *Before = Common->findAncestorOpInBlock(*Second);
  if (Wrong.First->On == Wrong.Second->On)
    return addBarrier(Before, Wrong.First->On);
  if (CarriedBy && After->isBeforeInBlock(Before))
    CarriedBy = {}; // the same turn's flag covers earlier turns
  scf::ForOp SlotLoop;
  if (CarriedBy && Distance == 2)
    SlotLoop = CarriedBy;
  for (Flag &Other : Plan.Flags)
    if (Other.After == After && Other.Before == Before &&
        Other.From == Wrong.First->On && Other.To == Wrong.Second->On &&
        Other.CarriedBy == CarriedBy)
      return addBarrier(Before, std::nullopt); // a flag alone does not do
  addFlag(After, Before, Wrong.First->On, Wrong.Second->On, CarriedBy,
          SlotLoop);
  return success();
}

/// A pipe that may raise a flag again before it was awaited: two events in
/// turn, or else it waits for the other pipe in its turn.
void SyncInserter::slowDown(unsigned Index) {
  Flag &Fast = Plan.Flags[Index];
  auto Loop = Fast.After->getParentOfType<scf::ForOp>();
  if (!Loop || Plan.Flags.size() > 200)
    return degrade(Index, "can be awaited in time");
  bool Direct = Fast.After->getBlock() == Loop.getBody();
  if (Direct && !Fast.SlotLoop && !Fast.CarriedBy && Trace.hasSlots(Loop)) {
    Fast.SlotLoop = Loop;
    return;
  }
  Operation *After = Loop.getBody()->findAncestorOpInBlock(*Fast.Before);
  Operation *Before = Loop.getBody()->findAncestorOpInBlock(*Fast.After);
  scf::ForOp CarriedBy = After->isBeforeInBlock(Before) ? scf::ForOp() : Loop;
  for (const Flag &Other : Plan.Flags)
    if (Other.After == After && Other.Before == Before &&
        Other.From == Fast.To && Other.To == Fast.From)
      return degrade(Index, "can be awaited in time");
  addFlag(After, Before, Fast.To, Fast.From, CarriedBy, {});
}

LogicalResult SyncInserter::mend(const Violation &Wrong) {
  if (Wrong.What == Violation::Kind::Unordered)
    return order(Wrong);
  slowDown(Wrong.Flag);
  return success();
}

LogicalResult SyncInserter::solve() {
  while (std::optional<Violation> Wrong = Trace.run(Plan))
    if (failed(mend(*Wrong)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// The scalar unit's last event is for what single instructions need inside.
unsigned SyncInserter::eventsOf(const Flag &Flag) const {
  bool Scalar = Flag.From == Pipe::S || Flag.To == Pipe::S;
  return Events - (Scalar ? 1 : 0);
}

bool SyncInserter::findEvent(unsigned Index, ArrayRef<bool> Assigned) {
  Flag &F = Plan.Flags[Index];
  unsigned Own = F.Event, Limit = eventsOf(F);
  auto IsFree = [&](unsigned Event) {
    for (auto [I, Other] : llvm::enumerate(Plan.Flags))
      if (Assigned[I] && Other.From == F.From && Other.To == F.To &&
          Other.Event < Event + F.events() &&
          Event < Other.Event + Other.events())
        return false;
    return true;
  };
  for (unsigned Event = 0; Event + F.events() <= Limit; ++Event)
    if (IsFree(Event)) {
      F.Event = Event;
      return true;
    }
  // Flags that never meet may share an event.
  for (unsigned Event = 0; Event + F.events() <= Limit; ++Event) {
    F.Event = Event;
    if (!Trace.run(Plan))
      return true;
  }
  F.Event = Own;
  return false;
}

/// A barrier for all pipes in a flag's place.
void SyncInserter::degrade(unsigned Index, const char *Why) {
  Flag Gone = Plan.Flags[Index];
  Gone.Before->emitRemark() << "no event from " << stringifyPipe(Gone.From)
                            << " to " << stringifyPipe(Gone.To) << " " << Why
                            << "; all pipes wait here instead";
  Plan.Flags.erase(Plan.Flags.begin() + Index);
  Plan.Barriers.push_back({Gone.Before, std::nullopt});
}

bool SyncInserter::assignEvents() {
  SmallVector<bool> Assigned(Plan.Flags.size(), false);
  for (unsigned I = 0; I < Plan.Flags.size(); ++I) {
    if (!findEvent(I, Assigned)) {
      degrade(I, "is left");
      return false;
    }
    Assigned[I] = true;
  }
  return true;
}

LogicalResult SyncInserter::run() {
  if (failed(Trace.prepare()))
    return failure();
  for (;;) {
    for (auto [I, Flag] : llvm::enumerate(Plan.Flags))
      Flag.Event = FirstOwnEvent + 2 * I;
    if (failed(solve()))
      return failure();
    if (assignEvents())
      return success();
  }
}

//===----------------------------------------------------------------------===//
// Writing it down
//===----------------------------------------------------------------------===//

static Value slotValueOf(scf::ForOp Loop) {
  for (BufferOp Buffer : Loop.getBody()->getOps<BufferOp>())
    if (Buffer.getSlot() && slotLoopOf(Buffer.getSlot()) == Loop)
      return Buffer.getSlot();
  return {};
}

void SyncInserter::emit(OpBuilder &Builder, Flag &F, bool Set, Value Slot) {
  Location Loc = (Set ? F.After : F.Before)->getLoc();
  if (Set)
    FlagSetOp::create(Builder, Loc, F.From, F.To, F.Event, Slot);
  else
    FlagWaitOp::create(Builder, Loc, F.From, F.To, F.Event, Slot);
}

/// What comes last is next to its operation: behind a loop, the flags that it
/// carries are awaited first; before it, they are raised last.
void SyncInserter::apply() {
  OpBuilder Builder(Kernel.getContext());
  for (Flag &F : Plan.Flags) {
    Value Slot = F.SlotLoop ? slotValueOf(F.SlotLoop) : Value();
    Builder.setInsertionPointAfter(F.After);
    emit(Builder, F, /*Set=*/true, Slot);
    Builder.setInsertionPoint(F.Before);
    emit(Builder, F, /*Set=*/false, Slot);
  }
  for (Barrier &B : Plan.Barriers) {
    Builder.setInsertionPoint(B.Before);
    BarrierOp::create(Builder, B.Before->getLoc(),
                      B.On ? PipeAttr::get(Kernel.getContext(), *B.On)
                           : PipeAttr());
  }
  for (Flag F : Plan.Flags) {
    if (!F.CarriedBy)
      continue;
    for (unsigned I = 0; I < F.events(); ++I, ++F.Event) {
      Builder.setInsertionPoint(F.CarriedBy);
      emit(Builder, F, /*Set=*/true, {});
      Builder.setInsertionPointAfter(F.CarriedBy);
      emit(Builder, F, /*Set=*/false, {});
    }
  }
}

namespace {
struct InsertSyncPass : passes::impl::InsertSyncBase<InsertSyncPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp Kernel = getOperation();
    if (Kernel.isExternal())
      return;
    const targets::Soc *Soc = targets::findSoc(soc);
    if (!Soc) {
      Kernel.emitError() << "there is no SoC '" << soc << "'";
      return signalPassFailure();
    }
    const targets::Arch &Arch = *Soc->arch;
    SyncInserter Inserter(Kernel, Arch, events ? events : Arch.userEventIds);
    if (failed(Inserter.run()))
      return signalPassFailure();
    Inserter.apply();
    numFlags += Inserter.Plan.Flags.size();
    for (const Barrier &Barrier : Inserter.Plan.Barriers)
      ++(Barrier.On ? numBarriers : numFullBarriers);
  }
};
} // namespace
