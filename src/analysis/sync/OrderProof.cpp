//===- OrderProof.cpp - Proving the order of instructions -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why no pipe waits for ever: every wait has a set before it in the order of
// the program, in which every scalar unit issues its part. A set comes as soon
// as its pipe has done what was issued before it, and all waits among that have
// sets still earlier: the first wait of all cores that would never end cannot
// be.
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/OrderProof.h"
#include "analysis/sync/ProductOrder.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using namespace belay::ascend;

static unsigned index(Pipe P) { return static_cast<unsigned>(P); }

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

/// Nobody hears of what is found on the way to a fixpoint.
void OrderProof::report(Refusal What, const Twine &Message) {
  if (Quiet)
    return;
  What.Message = Message.str();
  Refusals.push_back(std::move(What));
}

void OrderProof::emitErrors() const {
  for (const Refusal &What : Refusals) {
    InFlightDiagnostic Error = What.Op->emitError(What.Message);
    if (What.Other)
      Error.attachNote(What.Other->getLoc()) << What.Note;
  }
}

/// "the flag MTE2 to V event 0"
static std::string flagText(Pipe From, Pipe To, uint64_t Event) {
  return ("the flag " + stringifyPipe(From) + " to " + stringifyPipe(To) +
          " event " + Twine(Event))
      .str();
}

Relations OrderProof::mayBeOpen(const Conflict &With, const Lanes &Open) const {
  const Item &Before = Items[With.Before];
  auto Mine = ArrayRef(Open).slice(Before.FirstLane, Before.NumLanes);
  Relations Possible = Mine[0] & With.When;
  for (unsigned I = 1; I < Before.NumLanes; I += 2)
    Possible &= Mine[I] | Mine[I + 1];
  return With.SlotLane ? Possible & Mine[With.SlotLane] : Possible;
}

/// Says in which iterations the two are: in the closest ones.
void OrderProof::reportConflict(Refusal What, const Conflict &With,
                                Relations Open, const Twine &Message) {
  const Item &Before = Items[With.Before];
  What.Other = Before.Op;
  Relation Closest = llvm::Log2_32(Open);
  if (Closest < commonLoops(Before.Uses.Loops, loopsAround(What.Op)))
    What.CarriedBy = Before.Uses.Loops[Closest];
  What.SameSlot =
      With.SlotLane && With.SlotLane == slotLaneOf(Before, What.CarriedBy);
  report(std::move(What), Message);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// Open on either path.
static void addOpen(MutableArrayRef<Relations> Into,
                    ArrayRef<Relations> Other) {
  for (auto [Mine, Theirs] : llvm::zip_equal(Into, Other))
    Mine |= Theirs;
}

/// Open by both accounts.
static void keepOpen(MutableArrayRef<Relations> Into,
                     ArrayRef<Relations> Other) {
  for (auto [Mine, Theirs] : llvm::zip_equal(Into, Other))
    Mine &= Theirs;
}

OrderProof::State OrderProof::join(const State &A, const State &B) const {
  State Result = A;
  for (auto [Mine, Theirs] : llvm::zip_equal(Result.Open, B.Open))
    addOpen(Mine, Theirs);
  for (auto &[Event, Open] : Result.Raised) {
    auto Same = B.Raised.find(Event);
    if (Same == B.Raised.end())
      Result.Unsure.insert(Event);
    else
      addOpen(Open, Same->second);
  }
  for (const auto &[Event, Open] : B.Raised)
    if (Result.Raised.try_emplace(Event, Open).second)
      Result.Unsure.insert(Event);
  Result.Unsure.insert(B.Unsure.begin(), B.Unsure.end());
  return Result;
}

/// One more execution, of the current iteration, which nobody knows to be
/// complete.
void OrderProof::happen(unsigned Index, State &S) {
  const Item &Item = Items[Index];
  Relation Same = std::min<size_t>(Item.Uses.Loops.size(), LastRelation);
  auto Opens = [&](Lanes &Open) {
    Open[Item.FirstLane] |= Relations(1u << Same);
    for (unsigned I = 1; I < Item.NumLanes; I += 2)
      Open[Item.FirstLane + I] |= Relations(1u << Same);
  };
  llvm::for_each(S.Open, Opens);
  for (auto &[Event, Open] : S.Raised)
    Opens(Open);
}

/// What is issued starts after all that the scalar unit waited for.
void OrderProof::issue(Pipe Pipe, State &S) {
  keepOpen(S.Open[index(Pipe)], S.Open[index(scalarPipeOf(coreOf(Pipe)))]);
}

void OrderProof::barrier(std::optional<Pipe> Pipe, State &S) {
  if (!Pipe) {
    for (Lanes &Open : S.Open)
      llvm::fill(Open, 0);
    return;
  }
  for (auto [Lane, Item] : llvm::zip_equal(S.Open[index(*Pipe)], ItemOf))
    if (Items[Item].On == *Pipe)
      Lane = 0;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void OrderProof::instruction(unsigned Index, State &S) {
  const Item &Now = Items[Index];
  // It begins with a wait of the scalar unit for its own pipe.
  if (Now.Uses.WaitsForItsPipe)
    barrier(Now.On, S);
  issue(Now.On, S);
  if (!Quiet)
    for (const Conflict &With : conflictsOf(Now.Op)) {
      const Item &Before = Items[With.Before];
      Relations Open = mayBeOpen(With, S.Open[index(Now.On)]);
      bool Told = !Refusals.empty() && Refusals.back().Op == Now.Op &&
                  Refusals.back().Other == Before.Op;
      if (!Open || Told)
        continue;
      reportConflict({Refusal::Kind::Unordered, Now.Op}, With, Open,
                     quoted(Now.Op) + " on " + stringifyPipe(Now.On) +
                         " may start while " + quoted(Before.Op) + " on " +
                         stringifyPipe(Before.On) +
                         " still uses the same memory");
      Refusals.back().Note = "the other is here";
    }
  happen(Index, S);
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

void OrderProof::set(FlagSetOp Op, State &S) {
  Event Event = eventOf(Op);
  Pipe From = Op.getFrom();
  issue(From, S);
  if (S.Raised.count(Event) || S.Unsure.count(Event))
    report({Refusal::Kind::RaisedAgain, Op},
           flagText(From, Op.getTo(), Op.getEvent()) +
               " is raised again before it was awaited");
  if (!Quiet)
    for (const Conflict &With : conflictsOf(Op)) {
      Relations Open = mayBeOpen(With, S.Open[index(From)]);
      if (!Open)
        continue;
      reportConflict({Refusal::Kind::RaisedAgain, Op}, With, Open,
                     flagText(From, Op.getTo(), Op.getEvent()) +
                         " may be raised again before it was awaited");
      Refusals.back().Note = "it is awaited here";
    }
  Lanes Told = S.Open[index(From)];
  for (auto [Lane, Item] : llvm::zip_equal(Told, ItemOf))
    if (Items[Item].On == From)
      Lane = 0;
  S.Raised[Event] = std::move(Told);
}

void OrderProof::wait(FlagWaitOp Op, State &S) {
  Event Event = eventOf(Op);
  unsigned To = index(Op.getTo()), Self = IndexOf.lookup(Op);
  issue(Op.getTo(), S);
  happen(Self, S);
  for (unsigned I = 0; I < Items[Self].NumLanes; ++I)
    S.Open[To][Items[Self].FirstLane + I] = 0;
  auto Flag = S.Raised.find(Event);
  if (Flag == S.Raised.end() || S.Unsure.count(Event)) {
    report({Refusal::Kind::WrongFlag, Op},
           stringifyPipe(Op.getTo()) + " waits for " +
               stringifyPipe(Op.getFrom()) + " event " + Twine(Op.getEvent()) +
               ", which nothing raised" +
               (Flag == S.Raised.end() ? "" : " on some path here"));
    S.Raised.erase(Event);
    S.Unsure.erase(Event);
    return;
  }
  keepOpen(S.Open[To], Flag->second);
  S.Raised.erase(Flag);
  // Whatever its core issues from here on starts after what the scalar unit
  // waited for. Paths that join later, where it waited on one only, must not
  // hide that.
  if (isScalar(Op.getTo()))
    for (unsigned P = 0; P < NumPipes; ++P)
      if (coreOf(static_cast<Pipe>(P)) == coreOf(Op.getTo()))
        keepOpen(S.Open[P], S.Open[To]);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void OrderProof::swapSlots(const LoopInfo &Loop, Lanes &Open) {
  for (unsigned Lane : Loop.SlotLanes)
    std::swap(Open[Lane], Open[Lane + 1]);
}

/// What was of the current iteration, as far in as this loop, is of another
/// one.
void OrderProof::age(const LoopInfo &Loop, Lanes &Open) const {
  if (Loop.Depth >= LastRelation)
    return;
  Relations Farther = (2u << Loop.Depth) - 1, Here = 1u << Loop.Depth;
  if (Loop.FirstItem == Loop.EndItem)
    return;
  const Item &Last = Items[Loop.EndItem - 1];
  unsigned First = Items[Loop.FirstItem].FirstLane;
  for (Relations &Lane : MutableArrayRef(Open).slice(
           First, Last.FirstLane + Last.NumLanes - First))
    if (Lane & ~Farther)
      Lane = (Lane & Farther) | Here;
}

/// In its first iteration a loop uses slot 0.
void OrderProof::enterLoop(LoopLikeOpInterface Loop, State &S) {
  for (Event Event : Alternating.lookup(Loop)) {
    for (bool Other : {false, true}) {
      auto Absolute = Event, Relative = Event;
      Absolute.Number += Other;
      Relative.Relative = true;
      Relative.Other = Other;
      auto Flag = S.Raised.extract(Absolute);
      if (!Flag)
        continue;
      S.Raised[Relative] = std::move(Flag.mapped());
      if (S.Unsure.erase(Absolute))
        S.Unsure.insert(Relative);
    }
  }
}

void OrderProof::nextIteration(LoopLikeOpInterface Loop, State &S) {
  const LoopInfo Info = Loops.lookup(Loop);
  auto Move = [&](Lanes &Open) {
    swapSlots(Info, Open);
    age(Info, Open);
  };
  llvm::for_each(S.Open, Move);
  for (auto &[Event, Open] : S.Raised)
    Move(Open);
  for (Event Event : Alternating.lookup(Loop)) {
    auto This = Event, That = Event;
    This.Relative = That.Relative = true;
    That.Other = true;
    auto A = S.Raised.extract(This), B = S.Raised.extract(That);
    bool UnsureA = S.Unsure.erase(This), UnsureB = S.Unsure.erase(That);
    if (A)
      S.Raised[That] = std::move(A.mapped());
    if (B)
      S.Raised[This] = std::move(B.mapped());
    if (UnsureA)
      S.Unsure.insert(That);
    if (UnsureB)
      S.Unsure.insert(This);
  }
}

/// The next iteration would have used slot 0 or slot 1. What a flag of the loop
/// tells belongs to its own slot either way.
void OrderProof::leaveLoop(LoopLikeOpInterface Loop, State &S) {
  const LoopInfo Info = Loops.lookup(Loop);
  auto EitherWay = [&](Lanes &Open, Lanes Swapped) {
    swapSlots(Info, Swapped);
    addOpen(Open, Swapped);
  };
  std::map<Event, Lanes> Ours;
  for (Event Event : Alternating.lookup(Loop)) {
    auto This = Event, That = Event;
    This.Relative = That.Relative = true;
    That.Other = true;
    auto A = S.Raised.extract(This), B = S.Raised.extract(That);
    bool Unsure = S.Unsure.erase(This) | S.Unsure.erase(That);
    if (!A && !B)
      continue;
    Lanes First = A ? A.mapped() : B.mapped();
    Lanes Second = B ? B.mapped() : A.mapped();
    for (bool Other : {false, true}) {
      auto Absolute = Event;
      Absolute.Number += Other;
      Ours[Absolute] = Other ? Second : First;
      EitherWay(Ours[Absolute], Other ? First : Second);
      if (Unsure || !A || !B)
        S.Unsure.insert(Absolute);
    }
  }
  for (Lanes &Open : S.Open)
    EitherWay(Open, Open);
  for (auto &[Event, Open] : S.Raised)
    EitherWay(Open, Open);
  S.Raised.merge(Ours);
}

/// A loop may end wherever its condition has been computed: at the head of each
/// iteration.
void OrderProof::execute(LoopLikeOpInterface Loop, State &S) {
  auto Compute = [&](State &Head) {
    if (Block *Condition = conditionOf(Loop))
      execute(*Condition, Head);
  };
  enterLoop(Loop, S);
  State Head = S;
  ++Quiet;
  for (;;) {
    State End = Head;
    Compute(End);
    execute(*bodyOf(Loop), End);
    nextIteration(Loop, End);
    State Next = join(Head, End);
    if (Next == Head)
      break;
    Head = std::move(Next);
  }
  --Quiet;
  Compute(Head);
  if (!Quiet) {
    State End = Head;
    execute(*bodyOf(Loop), End);
  }
  for (const Event &Event : Head.Unsure)
    if (!S.Unsure.count(Event)) {
      report({Refusal::Kind::WrongFlag, Loop},
             flagText(Event.From, Event.To, Event.Number) +
                 " is raised at the end of an iteration but not at its start, "
                 "or the reverse");
      break;
    }
  leaveLoop(Loop, Head);
  S = std::move(Head);
}

void OrderProof::execute(scf::IfOp If, State &S) {
  State Other = S;
  execute(If.getThenRegion().front(), S);
  if (!If.getElseRegion().empty())
    execute(If.getElseRegion().front(), Other);
  std::set<Event> Before = S.Unsure;
  S = join(S, Other);
  for (const Event &Event : S.Unsure)
    if (!Before.count(Event) && !Other.Unsure.count(Event))
      report({Refusal::Kind::WrongFlag, If},
             flagText(Event.From, Event.To, Event.Number) +
                 " is raised in one branch only");
}

void OrderProof::execute(Operation &Op, State &S) {
  ++NumSteps;
  if (auto Loop = dyn_cast<LoopLikeOpInterface>(Op))
    return execute(Loop, S);
  if (auto If = dyn_cast<scf::IfOp>(Op))
    return execute(If, S);
  if (auto Set = dyn_cast<FlagSetOp>(Op))
    return set(Set, S);
  if (auto Wait = dyn_cast<FlagWaitOp>(Op))
    return wait(Wait, S);
  if (auto Barrier = dyn_cast<BarrierOp>(Op))
    return barrier(Barrier.getPipe(), S);
  if (isa<SyncCoresOp>(Op))
    return barrier(std::nullopt, S);
  if (isa<InstructionInterface>(Op))
    instruction(IndexOf.lookup(&Op), S);
}

void OrderProof::execute(Block &Block, State &S) {
  for (Operation &Op : Block)
    execute(Op, S);
}

LogicalResult OrderProof::run() {
  if (failed(prepare()))
    return failure();
  State S;
  for (Lanes &Open : S.Open)
    Open.assign(ItemOf.size(), 0);
  execute(Kernel.getBody().front(), S);
  for (const auto &[Event, Open] : S.Raised)
    report({Refusal::Kind::WrongFlag, Kernel.getBody().front().getTerminator()},
           flagText(Event.From, Event.To, Event.Number) +
               " is still raised at the end");
  return success(Refusals.empty());
}
