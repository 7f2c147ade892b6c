//===- OrderProof.cpp - Proving the order of instructions -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why no pipe waits for ever: every wait has a set before it in the order in
// which the scalar unit issues. A set comes as soon as its pipe has done what
// was issued before it, and all waits among that have sets still earlier.
//
//===----------------------------------------------------------------------===//

#include "analysis/sync/OrderProof.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;
using namespace belay::ascend;

static unsigned index(Pipe P) { return static_cast<unsigned>(P); }

//===----------------------------------------------------------------------===//
// The items
//===----------------------------------------------------------------------===//

/// Nobody hears of what is found on the way to a fixpoint.
void OrderProof::report(Operation *Op, const Twine &Message, Operation *Other,
                        const char *Note) {
  if (Quiet)
    return;
  Failed = true;
  InFlightDiagnostic Error = Op->emitError(Message);
  if (Other)
    Error.attachNote(Other->getLoc()) << Note;
}

/// "the flag MTE2 to V event 0"
static std::string flagText(Pipe From, Pipe To, uint64_t Event) {
  return ("the flag " + stringifyPipe(From) + " to " + stringifyPipe(To) +
          " event " + Twine(Event))
      .str();
}

static std::string quoted(Operation *Op) {
  return ("'" + Op->getName().getStringRef() + "'").str();
}

LogicalResult OrderProof::prepare() {
  Kernel.walk([&](Operation *Op) {
    if (auto Instruction = dyn_cast<InstructionInterface>(Op)) {
      IndexOf[Op] = Items.size();
      Items.push_back({Op, Instruction.getPipe()});
      if (unplacedBuffer(Op))
        report(Op, quoted(Op) + " uses a buffer that has no place in memory");
    } else if (auto Wait = dyn_cast<FlagWaitOp>(Op)) {
      IndexOf[Op] = Items.size();
      Items.push_back({Op, Wait.getTo()});
    } else if (Op->getNumRegions() &&
               !isa<scf::ForOp, scf::IfOp, func::FuncOp>(Op)) {
      report(Op, "the order inside " + quoted(Op) + " cannot be proven");
    }
    auto NoteSlot = [&](auto Flag) {
      uint64_t Last = Flag.getEvent() + (Flag.getSlot() ? 1 : 0);
      if (Last >= Events)
        report(Flag, "event " + Twine(Last) + " is out of range; " +
                         stringifyPipe(Flag.getFrom()) + " to " +
                         stringifyPipe(Flag.getTo()) + " has " + Twine(Events));
      if (!Flag.getSlot())
        return;
      scf::ForOp Loop = alternatesIn(Flag.getSlot());
      if (!Loop)
        report(Flag, "which event this is cannot be seen: its slot does not "
                     "alternate");
      else
        Alternating[Loop].insert(
            {Flag.getFrom(), Flag.getTo(), Flag.getEvent()});
    };
    if (auto Set = dyn_cast<FlagSetOp>(Op))
      NoteSlot(Set);
    if (auto Wait = dyn_cast<FlagWaitOp>(Op))
      NoteSlot(Wait);
  });
  Sharings.resize(Items.size() * Items.size());
  return failure(Failed);
}

const Sharing &OrderProof::sharing(unsigned A, unsigned B) {
  std::optional<Sharing> &Known = Sharings[A * Items.size() + B];
  if (!Known) {
    bool Waits = isa<FlagWaitOp>(Items[A].Op) || isa<FlagWaitOp>(Items[B].Op);
    Known = Waits ? Sharing() : sharingOf(Items[A].Op, Items[B].Op);
    NumPairs += Known->When != Sharing::Kind::Never;
  }
  return *Known;
}

/// How many of the latest executions of Before may still be running when Now
/// starts, without using what Now uses.
OrderProof::Age OrderProof::allowed(const Sharing &Sharing, Operation *Before,
                                    Operation *Now) const {
  if (Sharing.When == Sharing::Kind::Never)
    return Unknown;
  if (Sharing.When == Sharing::Kind::Always)
    return 0;
  Block *Body = const_cast<scf::ForOp &>(Sharing.Loop).getBody();
  Operation *First = Body->findAncestorOpInBlock(*Before);
  Operation *Second = Body->findAncestorOpInBlock(*Now);
  if (!First || !Second)
    return 0;
  // Its latest execution may be of this turn.
  if (First->isBeforeInBlock(Second) || (First == Second && First != Before))
    return 0;
  if (Sharing.When == Sharing::Kind::SameTurn)
    return Unknown;
  // Once in each turn: the latest execution used the other slot.
  return First == Before ? 1 : 0;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

OrderProof::State OrderProof::join(const State &A, const State &B) const {
  State Result = A;
  auto Larger = [](Ages &Into, const Ages &Other) {
    for (auto [Mine, Theirs] : llvm::zip_equal(Into, Other))
      Mine = std::max(Mine, Theirs);
  };
  for (auto [Mine, Theirs] : llvm::zip_equal(Result.Open, B.Open))
    Larger(Mine, Theirs);
  for (auto &[Event, Ages] : Result.Raised) {
    auto Same = B.Raised.find(Event);
    if (Same == B.Raised.end())
      Result.Unsure.insert(Event);
    else
      Larger(Ages, Same->second);
  }
  for (const auto &[Event, Ages] : B.Raised)
    if (Result.Raised.try_emplace(Event, Ages).second)
      Result.Unsure.insert(Event);
  Result.Unsure.insert(B.Unsure.begin(), B.Unsure.end());
  return Result;
}

/// One more execution, which nobody knows to be complete.
void OrderProof::happen(unsigned Index, State &S) {
  auto Older = [&](Ages &Ages) {
    Ages[Index] = std::min<Age>(Ages[Index] + 1, Unknown);
  };
  for (Ages &Ages : S.Open)
    Older(Ages);
  for (auto &[Event, Ages] : S.Raised)
    Older(Ages);
}

/// What is issued starts after all that the scalar unit waited for.
void OrderProof::issue(Pipe Pipe, State &S) {
  for (auto [Mine, Scalar] :
       llvm::zip_equal(S.Open[index(Pipe)], S.Open[index(Pipe::S)]))
    Mine = std::min(Mine, Scalar);
}

void OrderProof::barrier(std::optional<Pipe> Pipe, State &S) {
  for (unsigned P = 0; P < NumPipes; ++P)
    for (auto [I, Age] : llvm::enumerate(S.Open[P]))
      if (!Pipe || (P == index(*Pipe) && Items[I].On == *Pipe))
        Age = 0;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void OrderProof::instruction(unsigned Now, State &S) {
  Pipe On = Items[Now].On;
  issue(On, S);
  for (unsigned Before = 0; Before < Items.size(); ++Before) {
    Pipe Other = Items[Before].On;
    bool Interlocked = VectorInterlock && Other == Pipe::V && On == Pipe::V;
    // The scalar unit reads at once; what it writes has to be told.
    bool AtOnce =
        Other == Pipe::S && (On == Pipe::S || !writesMemory(Items[Before].Op));
    if (Interlocked || AtOnce)
      continue;
    Age Open = S.Open[index(On)][Before];
    if (Open == 0 ||
        Open <= allowed(sharing(Before, Now), Items[Before].Op, Items[Now].Op))
      continue;
    report(Items[Now].Op,
           quoted(Items[Now].Op) + " on " + stringifyPipe(On) +
               " may start while " + quoted(Items[Before].Op) + " on " +
               stringifyPipe(Other) + " still uses the same memory",
           Items[Before].Op, "the other is here");
  }
  happen(Now, S);
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

template <typename FlagOp> OrderProof::Event OrderProof::eventOf(FlagOp Op) {
  Event Result{Op.getFrom(), Op.getTo(), Op.getEvent()};
  Result.Relative = bool(Op.getSlot());
  return Result;
}

/// When a wait takes the flag that a set raises.
Sharing OrderProof::sharedEvent(Operation *Waiting, FlagSetOp Set) {
  auto Wait = dyn_cast<FlagWaitOp>(Waiting);
  if (!Wait || Wait.getFrom() != Set.getFrom() || Wait.getTo() != Set.getTo())
    return {};
  uint64_t A = Wait.getEvent(), B = Set.getEvent();
  if (Wait.getSlot() && Set.getSlot()) {
    if (A == B && Wait.getSlot() == Set.getSlot())
      return {Sharing::Kind::SameSlot, alternatesIn(Set.getSlot())};
    bool Apart = A + 1 < B || B + 1 < A;
    return {Apart ? Sharing::Kind::Never : Sharing::Kind::Always, {}};
  }
  bool Meet =
      A <= B + (Set.getSlot() ? 1 : 0) && B <= A + (Wait.getSlot() ? 1 : 0);
  return {Meet ? Sharing::Kind::Always : Sharing::Kind::Never, {}};
}

void OrderProof::set(FlagSetOp Op, State &S) {
  Event Event = eventOf(Op);
  Pipe From = Op.getFrom();
  issue(From, S);
  if (S.Raised.count(Event) || S.Unsure.count(Event))
    report(Op, flagText(From, Op.getTo(), Op.getEvent()) +
                   " is raised again before it was awaited");
  for (auto [I, Item] : llvm::enumerate(Items)) {
    Age Open = S.Open[index(From)][I];
    // What the scalar unit waits for is over before it issues anything else.
    if (Open == 0 || Quiet || Item.On == Pipe::S ||
        Open <= allowed(sharedEvent(Item.Op, Op), Item.Op, Op))
      continue;
    report(Op,
           flagText(From, Op.getTo(), Op.getEvent()) +
               " may be raised again before it was awaited",
           Item.Op, "it is awaited here");
  }
  Ages Told = S.Open[index(From)];
  for (auto [I, Item] : llvm::enumerate(Items))
    if (Item.On == From)
      Told[I] = 0;
  S.Raised[Event] = std::move(Told);
}

void OrderProof::wait(FlagWaitOp Op, State &S) {
  Event Event = eventOf(Op);
  unsigned To = index(Op.getTo()), Self = IndexOf.lookup(Op);
  issue(Op.getTo(), S);
  happen(Self, S);
  S.Open[To][Self] = 0;
  auto Flag = S.Raised.find(Event);
  if (Flag == S.Raised.end() || S.Unsure.count(Event)) {
    report(Op, stringifyPipe(Op.getTo()) + " waits for " +
                   stringifyPipe(Op.getFrom()) + " event " +
                   Twine(Op.getEvent()) + ", which nothing raised" +
                   (Flag == S.Raised.end() ? "" : " on some way here"));
    S.Raised.erase(Event);
    S.Unsure.erase(Event);
    return;
  }
  for (auto [Mine, Told] : llvm::zip_equal(S.Open[To], Flag->second))
    Mine = std::min(Mine, Told);
  S.Raised.erase(Flag);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// In its first turn a loop uses slot 0. What an earlier run of the loop left
/// open may be of either slot.
void OrderProof::enterLoop(scf::ForOp Loop, State &S) {
  auto Forget = [&](Ages &Ages) {
    for (auto [I, Age] : llvm::enumerate(Ages))
      if (Age && Loop->isProperAncestor(Items[I].Op))
        Age = Unknown;
  };
  for (Ages &Ages : S.Open)
    Forget(Ages);
  for (auto &[Event, Ages] : S.Raised)
    Forget(Ages);
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

/// The other slot's turn.
void OrderProof::nextTurn(scf::ForOp Loop, State &S) {
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

/// A loop may end with either slot.
void OrderProof::leaveLoop(scf::ForOp Loop, State &S) {
  for (Event Event : Alternating.lookup(Loop)) {
    auto This = Event, That = Event;
    This.Relative = That.Relative = true;
    That.Other = true;
    auto A = S.Raised.extract(This), B = S.Raised.extract(That);
    bool Unsure = S.Unsure.erase(This) | S.Unsure.erase(That);
    if (!A && !B)
      continue;
    Ages Both = A ? A.mapped() : B.mapped();
    if (A && B)
      for (auto [Mine, Theirs] : llvm::zip_equal(Both, B.mapped()))
        Mine = std::max(Mine, Theirs);
    for (bool Other : {false, true}) {
      auto Absolute = Event;
      Absolute.Number += Other;
      S.Raised[Absolute] = Both;
      if (Unsure || !A || !B)
        S.Unsure.insert(Absolute);
    }
  }
}

void OrderProof::execute(scf::ForOp Loop, State &S) {
  enterLoop(Loop, S);
  State Head = S;
  ++Quiet;
  for (;;) {
    State Turn = Head;
    execute(*Loop.getBody(), Turn);
    nextTurn(Loop, Turn);
    State Next = join(Head, Turn);
    if (Next == Head)
      break;
    Head = std::move(Next);
  }
  --Quiet;
  if (!Quiet) {
    State Turn = Head;
    execute(*Loop.getBody(), Turn);
  }
  for (const Event &Event : Head.Unsure)
    if (!S.Unsure.count(Event)) {
      report(Loop, flagText(Event.From, Event.To, Event.Number) +
                       " is raised at the end of a turn but not at its "
                       "start, or the other way round");
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
      report(If, flagText(Event.From, Event.To, Event.Number) +
                     " is raised in one branch only");
}

void OrderProof::execute(Operation &Op, State &S) {
  if (auto Loop = dyn_cast<scf::ForOp>(Op))
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
  for (Ages &Ages : S.Open)
    Ages.assign(Items.size(), 0);
  execute(Kernel.getBody().front(), S);
  for (const auto &[Event, Ages] : S.Raised)
    report(Kernel.getBody().front().getTerminator(),
           flagText(Event.From, Event.To, Event.Number) +
               " is still raised at the end");
  return failure(Failed);
}
