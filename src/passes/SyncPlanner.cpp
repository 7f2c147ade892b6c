//===- SyncPlanner.cpp - Which flags and barriers a kernel needs ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/SyncPlanner.h"

using namespace mlir;
using namespace belay::ascend;
using namespace belay::passes;

LogicalResult SyncPlanner::prepare(unsigned MostRuns) {
  return Trace.prepare(MostRuns);
}

//===----------------------------------------------------------------------===//
// One violation at a time
//===----------------------------------------------------------------------===//

/// While they are not assigned, every flag has events of its own.
static constexpr unsigned FirstOwnEvent = 1000;

void SyncPlanner::giveOwnEvents() {
  for (auto [I, Flag] : llvm::enumerate(Plan.Flags))
    Flag.Event = FirstOwnEvent + 2 * I;
}

void SyncPlanner::addFlag(Flag New) {
  New.Event = FirstOwnEvent;
  for (const Flag &Other : Plan.Flags)
    New.Event = std::max(New.Event, Other.Event + 2);
  Plan.Flags.push_back(New);
}

LogicalResult SyncPlanner::order(const Dependence &What,
                                 const std::string &Reason) {
  bool Pinned = !Reason.empty();
  LoopLikeOpInterface CarriedBy = What.CarriedBy;
  Block *Common = CarriedBy ? bodyOf(CarriedBy) : nullptr;
  for (Operation *Up = What.First; !Common; Up = Up->getParentOp())
    if (Up->getBlock()->findAncestorOpInBlock(*What.Second))
      Common = Up->getBlock();
  Operation *After = Common->findAncestorOpInBlock(*What.First);
  Operation *Before = Common->findAncestorOpInBlock(*What.Second);
  if (What.FirstOn == What.SecondOn)
    return success(Plan.addBarrier({Before, What.FirstOn, Pinned, Reason}));
  if (CarriedBy && After->isBeforeInBlock(Before))
    CarriedBy = {}; // the same iteration's flag covers earlier iterations
  Pipe To = isBetweenCores(What.FirstOn, What.SecondOn)
                ? scalarPipeOf(coreOf(What.SecondOn))
                : What.SecondOn;
  for (Flag &Other : Plan.Flags) {
    if (Other.After != After || Other.Before != Before ||
        Other.From != What.FirstOn || Other.To != To ||
        Other.CarriedBy != CarriedBy)
      continue;
    if (CarriedBy && Other.SlotLoop && !What.SameSlot) {
      Other.SlotLoop = {}; // it waits for the iteration before as well
      return success();
    }
    return success(Plan.addBarrier({Before, std::nullopt, Pinned, Reason}));
  }
  scf::ForOp SlotLoop = What.SameSlot
                            ? dyn_cast<scf::ForOp>(CarriedBy.getOperation())
                            : scf::ForOp();
  addFlag({After, Before, What.FirstOn, To, CarriedBy, SlotLoop, 0, Pinned,
           Reason});
  return success();
}

/// Where their paths part: in different iterations of a loop, or one after the
/// other in some block.
LogicalResult SyncPlanner::order(const Violation &Wrong) {
  Dependence What{
      Wrong.First.Op, Wrong.Second.Op, Wrong.First.On, Wrong.Second.On, {}};
  for (auto [A, B] : llvm::zip(Wrong.First.Where, Wrong.Second.Where)) {
    if (A == B)
      continue;
    if (A.first == B.first) {
      What.CarriedBy = dyn_cast<LoopLikeOpInterface>(A.first);
      bool Alternates = Wrong.What == Violation::Kind::Unordered ||
                        Plan.Flags[Wrong.Flag].SlotLoop == What.CarriedBy;
      What.SameSlot = Alternates && B.second - A.second == 2;
    }
    break;
  }
  return order(What);
}

/// A pipe that may raise a flag again before it was awaited: two alternating
/// events, or else it waits for the other pipe itself.
LogicalResult SyncPlanner::slowDown(const Violation &Wrong) {
  Flag &Fast = Plan.Flags[Wrong.Flag];
  auto Loop = dyn_cast<scf::ForOp>(Fast.After->getParentOp());
  if (Loop && !Fast.SlotLoop && !Fast.CarriedBy && !Fast.Pinned &&
      Trace.hasSlots(Loop)) {
    Fast.SlotLoop = Loop;
    return success();
  }
  return Wrong.First.Op ? order(Wrong) : failure();
}

LogicalResult SyncPlanner::fix(const Violation &Wrong) {
  return Wrong.What == Violation::Kind::Unordered ? order(Wrong)
                                                  : slowDown(Wrong);
}

/// Terminates because every step adds a flag or a barrier; the limit guards
/// against bugs.
LogicalResult SyncPlanner::solve() {
  constexpr unsigned MostSteps = 20000;
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    std::optional<Violation> Wrong = Trace.findViolation(Plan);
    if (!Wrong)
      return success();
    if (failed(fix(*Wrong)))
      return failure();
  }
  return failure();
}

void SyncPlanner::orderAll() {
  Plan = {};
  Kernel.walk(
      [&](InstructionInterface Op) { Plan.addBarrier({Op, std::nullopt}); });
}

//===----------------------------------------------------------------------===//
// What is redundant
//===----------------------------------------------------------------------===//

static bool isCopy(Pipe On) {
  return On == Pipe::MTE2 || On == Pipe::MTE3 || On == Pipe::CubeMTE2;
}

static bool isBetweenCopies(const Flag &F) {
  return isCopy(F.From) && isCopy(F.To);
}

/// Leaves out what is redundant, the most expensive first: a barrier for all,
/// and a copy that waits for another one.
void SyncPlanner::prune() {
  for (bool ForAll : {true, false})
    for (size_t I = Plan.Barriers.size(); I-- > 0;) {
      Barrier Without = Plan.Barriers[I];
      if (ForAll != !Without.On || Without.Pinned)
        continue;
      Plan.Barriers.erase(Plan.Barriers.begin() + I);
      if (!Trace.accepts(Plan))
        Plan.Barriers.insert(Plan.Barriers.begin() + I, Without);
    }
  for (bool BetweenCopies : {true, false})
    for (size_t I = Plan.Flags.size(); I-- > 0;) {
      Flag Without = Plan.Flags[I];
      if (BetweenCopies != isBetweenCopies(Without) || Without.Pinned)
        continue;
      Plan.Flags.erase(Plan.Flags.begin() + I);
      if (!Trace.accepts(Plan))
        Plan.Flags.insert(Plan.Flags.begin() + I, Without);
    }
}

/// Lets one flag stand for two between the same pipes: raised after the later
/// of what raises them, awaited before the earlier of what waits.
bool SyncPlanner::tryMerge(unsigned Kept, unsigned Gone) {
  Flag A = Plan.Flags[Kept], B = Plan.Flags[Gone];
  if (A.From != B.From || A.To != B.To || A.CarriedBy != B.CarriedBy ||
      A.SlotLoop != B.SlotLoop || A.After->getBlock() != B.After->getBlock() ||
      A.Before->getBlock() != B.Before->getBlock() || A.Pinned || B.Pinned)
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
  if (Trace.accepts(Plan))
    return true;
  Plan.Flags[Kept] = A;
  Plan.Flags.insert(Plan.Flags.begin() + Gone, B);
  return false;
}

/// Where a loop has two slots, its copies overlap with the work of other
/// iterations: waiting for several of them together costs nothing but saves
/// flags.
void SyncPlanner::merge() {
  for (unsigned Kept = 0; Kept < Plan.Flags.size(); ++Kept) {
    auto Loop = dyn_cast<LoopLikeOpInterface>(
        Plan.Flags[Kept].After->getBlock()->getParentOp());
    if (!Loop || !Trace.hasSlots(Loop))
      continue;
    for (unsigned Gone = Plan.Flags.size(); --Gone > Kept;)
      tryMerge(Kept, Gone);
  }
}

/// Copies that wait for each other were told so before all else was known: what
/// was added later may do with less.
void SyncPlanner::reconsider() {
  for (size_t I = Plan.Flags.size(); I-- > 0;) {
    if (I >= Plan.Flags.size() || !isBetweenCopies(Plan.Flags[I]) ||
        Plan.Flags[I].Pinned)
      continue;
    SyncPlan With = Plan;
    Plan.Flags.erase(Plan.Flags.begin() + I);
    bool Solved = succeeded(solve());
    if (Solved) {
      merge();
      prune();
    }
    if (!Solved || Plan.size() >= With.size())
      Plan = With;
  }
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// The scalar unit's last event is for what single instructions need inside,
/// and so is that between the vector unit and copies in where one of these
/// pads, or copies out where one of these takes elements apart.
unsigned SyncPlanner::eventsFor(const Flag &Flag) const {
  if (isBetweenCores(Flag.From, Flag.To))
    return Rules.CoreFlags;
  auto IsBetween = [&](Pipe A, Pipe B) {
    return (Flag.From == A && Flag.To == B) || (Flag.From == B && Flag.To == A);
  };
  bool Inside = isScalar(Flag.From) || isScalar(Flag.To) ||
                (FillsBeforeCopies && IsBetween(Pipe::MTE2, Pipe::V)) ||
                (SpreadsBeforeCopies && IsBetween(Pipe::V, Pipe::MTE3));
  return Rules.Events - (Inside ? 1 : 0);
}

/// The first event that no other flag of the same pipes has; or, if there is
/// none and flags that are never up together may share, the first that does no
/// harm.
bool SyncPlanner::findEvent(unsigned Index, ArrayRef<bool> Assigned,
                            bool Share) {
  Flag &F = Plan.Flags[Index];
  unsigned Own = F.Event, Limit = eventsFor(F);
  auto IsTaken = [&] {
    for (auto [I, Other] : llvm::enumerate(Plan.Flags))
      if (Assigned[I] && Other.hasEventOf(F))
        return true;
    return false;
  };
  for (F.Event = 0; F.Event + F.events() <= Limit; ++F.Event)
    if (!IsTaken())
      return true;
  // Flags of one number between cores all go the same way.
  auto IsInTheWay = [&](const Flag &Other) {
    bool GoesBack =
        Other.From != F.From && coreOf(Other.From) != coreOf(F.From);
    return &Other != &F && Other.hasEventOf(F) &&
           (GoesBack || Other.Alone || F.Alone);
  };
  for (F.Event = 0; Share && F.Event + F.events() <= Limit; ++F.Event)
    if (llvm::none_of(Plan.Flags, IsInTheWay) && Trace.accepts(Plan))
      return true;
  F.Event = Own;
  return false;
}

/// The flag for which no event is left, or nothing.
std::optional<unsigned> SyncPlanner::assignEvents(bool Share) {
  giveOwnEvents();
  SmallVector<bool> Assigned(Plan.Flags.size(), false);
  for (unsigned I = 0; I < Plan.Flags.size(); ++I) {
    if (!findEvent(I, Assigned, Share))
      return I;
    Assigned[I] = true;
  }
  return std::nullopt;
}

static std::string noEvent(const Flag &F, const Twine &Instead) {
  return ("no event from " + stringifyPipe(F.From) + " to " +
          stringifyPipe(F.To) + " is left; " + Instead)
      .str();
}

/// Adds what a change of events needs, if that is nothing but flags; else takes
/// the change back.
bool SyncPlanner::settle(const SyncPlan &Old, const Flag &Short) {
  if (failed(solve()) || Plan.Barriers.size() != Old.Barriers.size()) {
    Plan = Old;
    return false;
  }
  for (size_t I = Old.Flags.size(); I < Plan.Flags.size(); ++I) {
    Flag &Added = Plan.Flags[I];
    Added.Pinned = true;
    Added.Reason =
        noEvent(Short, stringifyPipe(Added.To) + " waits here for " +
                           stringifyPipe(Added.From) + " to share one");
  }
  return true;
}

/// One event instead of two for a flag between pipes that have too few.
bool SyncPlanner::useOneEvent(const Flag &Short) {
  const SyncPlan Old = Plan;
  for (auto [I, F] : llvm::enumerate(Old.Flags)) {
    if (!F.sharesEventsWith(Short) || !F.SlotLoop || F.Pinned)
      continue;
    Plan.Flags[I].SlotLoop = {};
    Plan.Flags[I].Pinned = true;
    Plan.Flags[I].Reason = noEvent(F, "both slots use one");
    if (settle(Old, F))
      return true;
  }
  return false;
}

/// Lets a flag share an event: the pipe that raises it waits for the other.
bool SyncPlanner::shareEvent(unsigned Index) {
  const SyncPlan Old = Plan;
  const Flag &Short = Old.Flags[Index];
  unsigned Limit = eventsFor(Short);
  for (unsigned Event = 0; Event + Short.events() <= Limit; ++Event) {
    Flag &F = Plan.Flags[Index];
    F.Event = Event;
    F.Pinned = true;
    bool IsAlone = llvm::any_of(Plan.Flags, [&](const Flag &Other) {
      return &Other != &F && Other.hasEventOf(F) && (Other.Alone || F.Alone);
    });
    if (!IsAlone && settle(Old, Short))
      return true;
    Plan = Old;
  }
  return false;
}

bool SyncPlanner::giveOwnEvents(unsigned Index) {
  Flag &F = Plan.Flags[Index];
  bool Shares = llvm::any_of(Plan.Flags, [&](const Flag &Other) {
    return &Other != &F && Other.hasEventOf(F);
  });
  if (F.Alone || !Shares)
    return false;
  F.Alone = true;
  return true;
}

/// A barrier for all pipes in a flag's place.
void SyncPlanner::replaceByBarrier(unsigned Index) {
  Flag Gone = Plan.Flags[Index];
  Plan.Flags.erase(Plan.Flags.begin() + Index);
  Plan.addBarrier({Gone.Before, std::nullopt, /*Pinned=*/true,
                   noEvent(Gone, "all pipes wait here instead")});
}

/// Every shortage of events pins a flag or a barrier, so that it ends; after so
/// many, barriers take the place of all that have none.
void SyncPlanner::complete() {
  constexpr unsigned MostSavings = 16;
  for (unsigned Shortages = 0;; ++Shortages) {
    giveOwnEvents();
    if (failed(solve())) {
      Kernel.emitRemark("no flags order this kernel; all pipes wait before "
                        "each instruction instead");
      return orderAll();
    }
    merge();
    prune();
    reconsider();
    if (!assignEvents(/*Share=*/false))
      return;
    std::optional<unsigned> Left = assignEvents(/*Share=*/true);
    if (!Left)
      return;
    const Flag Short = Plan.Flags[*Left];
    bool Saved =
        Shortages < MostSavings && (useOneEvent(Short) || shareEvent(*Left));
    if (!Saved)
      replaceByBarrier(*Left);
  }
}
