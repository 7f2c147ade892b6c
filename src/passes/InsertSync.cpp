//===- InsertSync.cpp - Order by flags and barriers -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PassTarget.h"
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
  bool addBarrier(Operation *Before, std::optional<Pipe> On);
  LogicalResult slowDown(const Violation &Wrong);
  void addFlag(Operation *After, Operation *Before, Pipe From, Pipe To,
               scf::ForOp CarriedBy, scf::ForOp SlotLoop);
  std::optional<unsigned> assignEvents(bool Share);
  bool findEvent(unsigned Flag, ArrayRef<bool> Assigned, bool Share);
  void degrade(unsigned Flag);
  void prune();
  void reconsider();
  size_t size() const { return Plan.Flags.size() + Plan.Barriers.size(); }
  void merge();
  bool tryMerge(unsigned Kept, unsigned Gone);
  void orderAll();
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
  unsigned Event = FirstOwnEvent;
  for (const Flag &Other : Plan.Flags)
    Event = std::max(Event, Other.Event + 2);
  Plan.Flags.push_back({After, Before, From, To, CarriedBy, SlotLoop, Event});
}

/// Once for each place.
bool SyncInserter::addBarrier(Operation *Before, std::optional<Pipe> On) {
  for (const Barrier &Other : Plan.Barriers)
    if (Other.Before == Before && Other.On == On)
      return false;
  Plan.Barriers.push_back({Before, On});
  return true;
}

/// Makes Second wait for First: by a barrier inside one pipe, by a flag between
/// two, or by a barrier for all where a flag alone does not do. Fails if all of
/// that is there already.
LogicalResult SyncInserter::order(const Violation &Wrong) {
  const Violation::Side &First = Wrong.First, &Second = Wrong.Second;
  // Where their ways part: in different turns of a loop, or one behind the
  // other in some block.
  scf::ForOp CarriedBy;
  unsigned Distance = 0;
  for (auto [A, B] : llvm::zip(First.Where, Second.Where)) {
    if (A == B)
      continue;
    if (A.first == B.first) {
      CarriedBy = dyn_cast<scf::ForOp>(A.first);
      Distance = B.second - A.second;
    }
    break;
  }
  Block *Common = CarriedBy ? CarriedBy.getBody() : nullptr;
  for (Operation *Up = First.Op; !Common; Up = Up->getParentOp())
    if (Up->getBlock()->findAncestorOpInBlock(*Second.Op))
      Common = Up->getBlock();
  Operation *After = Common->findAncestorOpInBlock(*First.Op);
  Operation *Before = Common->findAncestorOpInBlock(*Second.Op);
  if (First.On == Second.On)
    return success(addBarrier(Before, First.On));
  if (CarriedBy && After->isBeforeInBlock(Before))
    CarriedBy = {}; // the same turn's flag covers earlier turns
  for (Flag &Other : Plan.Flags)
    if (Other.After == After && Other.Before == Before &&
        Other.From == First.On && Other.To == Second.On &&
        Other.CarriedBy == CarriedBy)
      return success(addBarrier(Before, std::nullopt));
  bool InTurn = CarriedBy && Distance == 2 &&
                (Wrong.What == Violation::Kind::Unordered ||
                 Plan.Flags[Wrong.Flag].SlotLoop == CarriedBy);
  addFlag(After, Before, First.On, Second.On, CarriedBy,
          InTurn ? CarriedBy : scf::ForOp());
  return success();
}

/// A pipe that may raise a flag again before it was awaited: two events in
/// turn, or else it waits for the other pipe in its turn.
LogicalResult SyncInserter::slowDown(const Violation &Wrong) {
  Flag &Fast = Plan.Flags[Wrong.Flag];
  auto Loop = Fast.After->getParentOfType<scf::ForOp>();
  bool Direct = Loop && Fast.After->getBlock() == Loop.getBody();
  if (Direct && !Fast.SlotLoop && !Fast.CarriedBy && Trace.hasSlots(Loop)) {
    Fast.SlotLoop = Loop;
    return success();
  }
  return Wrong.First.Op ? order(Wrong) : failure();
}

LogicalResult SyncInserter::mend(const Violation &Wrong) {
  return Wrong.What == Violation::Kind::Unordered ? order(Wrong)
                                                  : slowDown(Wrong);
}

/// Every step adds something, so that it ends; the bound is for our mistakes.
LogicalResult SyncInserter::solve() {
  constexpr unsigned MostSteps = 2000;
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    std::optional<Violation> Wrong = Trace.run(Plan);
    if (!Wrong)
      return success();
    if (failed(mend(*Wrong)))
      return failure();
  }
  return failure();
}

/// One after the other is right for every kernel.
void SyncInserter::orderAll() {
  Kernel.emitRemark("no flags order this kernel; all pipes wait before each "
                    "instruction instead");
  Plan = {};
  Kernel.walk([&](InstructionInterface Op) { addBarrier(Op, std::nullopt); });
}

static bool isCopy(Pipe On) { return On == Pipe::MTE2 || On == Pipe::MTE3; }

/// Leaves out what others have made superfluous, the dearest first: a barrier
/// for all, and a copy that waits for another one.
void SyncInserter::prune() {
  for (bool ForAll : {true, false})
    for (size_t I = Plan.Barriers.size(); I-- > 0;) {
      Barrier Without = Plan.Barriers[I];
      if (ForAll != !Without.On)
        continue;
      Plan.Barriers.erase(Plan.Barriers.begin() + I);
      if (Trace.run(Plan))
        Plan.Barriers.insert(Plan.Barriers.begin() + I, Without);
    }
  for (bool BetweenCopies : {true, false})
    for (size_t I = Plan.Flags.size(); I-- > 0;) {
      Flag Without = Plan.Flags[I];
      if (BetweenCopies != (isCopy(Without.From) && isCopy(Without.To)))
        continue;
      Plan.Flags.erase(Plan.Flags.begin() + I);
      if (Trace.run(Plan))
        Plan.Flags.insert(Plan.Flags.begin() + I, Without);
    }
}

/// Lets one flag stand for two between the same pipes: raised behind the later
/// of what raises them, awaited before the earlier of what waits.
bool SyncInserter::tryMerge(unsigned Kept, unsigned Gone) {
  Flag A = Plan.Flags[Kept], B = Plan.Flags[Gone];
  if (A.From != B.From || A.To != B.To || A.CarriedBy != B.CarriedBy ||
      A.SlotLoop != B.SlotLoop || A.After->getBlock() != B.After->getBlock() ||
      A.Before->getBlock() != B.Before->getBlock())
    return false;
  Flag Both = A;
  if (Both.After->isBeforeInBlock(B.After))
    Both.After = B.After;
  if (B.Before->isBeforeInBlock(Both.Before))
    Both.Before = B.Before;
  if (!Both.CarriedBy && !Both.After->isBeforeInBlock(Both.Before))
    return false;
  Plan.Flags[Kept] = Both;
  Plan.Flags.erase(Plan.Flags.begin() + Gone);
  if (!Trace.run(Plan))
    return true;
  Plan.Flags[Kept] = A;
  Plan.Flags.insert(Plan.Flags.begin() + Gone, B);
  return false;
}

/// Where a loop has two slots, its copies overlap with the work of other turns:
/// waiting for several of them together costs nothing but saves flags.
void SyncInserter::merge() {
  for (unsigned Kept = 0; Kept < Plan.Flags.size(); ++Kept) {
    auto Loop =
        dyn_cast<scf::ForOp>(Plan.Flags[Kept].After->getBlock()->getParentOp());
    if (!Loop || !Trace.hasSlots(Loop))
      continue;
    for (unsigned Gone = Plan.Flags.size(); --Gone > Kept;)
      tryMerge(Kept, Gone);
  }
}

/// Copies that wait for each other were told so before all else was known: what
/// was added later may do with less.
void SyncInserter::reconsider() {
  for (size_t I = Plan.Flags.size(); I-- > 0;) {
    if (I >= Plan.Flags.size() || !isCopy(Plan.Flags[I].From) ||
        !isCopy(Plan.Flags[I].To))
      continue;
    SyncPlan With = Plan;
    Plan.Flags.erase(Plan.Flags.begin() + I);
    bool Solved = succeeded(solve());
    if (Solved) {
      merge();
      prune();
    }
    if (!Solved || size() >= With.Flags.size() + With.Barriers.size())
      Plan = With;
  }
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// The scalar unit's last event is for what single instructions need inside.
unsigned SyncInserter::eventsOf(const Flag &Flag) const {
  bool Scalar = Flag.From == Pipe::S || Flag.To == Pipe::S;
  return Events - (Scalar ? 1 : 0);
}

/// The first event that no other flag of the same pipes has; or, if there is
/// none and flags that never meet may share, the first that does no harm.
bool SyncInserter::findEvent(unsigned Index, ArrayRef<bool> Assigned,
                             bool Share) {
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
  for (F.Event = 0; F.Event + F.events() <= Limit; ++F.Event)
    if (IsFree(F.Event))
      return true;
  for (F.Event = 0; Share && F.Event + F.events() <= Limit; ++F.Event)
    if (!Trace.run(Plan))
      return true;
  F.Event = Own;
  return false;
}

/// The flag for which no event is left, or nothing.
std::optional<unsigned> SyncInserter::assignEvents(bool Share) {
  for (auto [I, Flag] : llvm::enumerate(Plan.Flags))
    Flag.Event = FirstOwnEvent + 2 * I;
  SmallVector<bool> Assigned(Plan.Flags.size(), false);
  for (unsigned I = 0; I < Plan.Flags.size(); ++I) {
    if (!findEvent(I, Assigned, Share))
      return I;
    Assigned[I] = true;
  }
  return std::nullopt;
}

/// A barrier for all pipes in a flag's place.
void SyncInserter::degrade(unsigned Index) {
  Flag Gone = Plan.Flags[Index];
  Gone.Before->emitRemark()
      << "no event from " << stringifyPipe(Gone.From) << " to "
      << stringifyPipe(Gone.To) << " is left; all pipes wait here instead";
  Plan.Flags.erase(Plan.Flags.begin() + Index);
  addBarrier(Gone.Before, std::nullopt);
}

LogicalResult SyncInserter::run() {
  if (failed(Trace.prepare()))
    return failure();
  for (;;) {
    for (auto [I, Flag] : llvm::enumerate(Plan.Flags))
      Flag.Event = FirstOwnEvent + 2 * I;
    if (failed(solve())) {
      orderAll();
      return success();
    }
    merge();
    prune();
    reconsider();
    if (!assignEvents(/*Share=*/false))
      return success();
    std::optional<unsigned> Left = assignEvents(/*Share=*/true);
    if (!Left)
      return success();
    degrade(*Left);
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
      Builder.setInsertionPoint(F.upAround());
      emit(Builder, F, /*Set=*/true, {});
      Builder.setInsertionPointAfter(F.upAround());
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
    const targets::Soc *Soc = ascend::socFor(Kernel, soc);
    if (!Soc)
      return signalPassFailure();
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
