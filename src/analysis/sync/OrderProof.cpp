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

void OrderProof::addLanes() {
  for (auto [I, Item] : llvm::enumerate(Items)) {
    Item.FirstLane = AllLanes.size();
    for (Operation *Up = Item.Op->getParentOp(); Up; Up = Up->getParentOp())
      if (Alternating.count(Up))
        AllLanes.push_back({static_cast<unsigned>(I), Up});
    if (AllLanes.size() == Item.FirstLane)
      AllLanes.push_back({static_cast<unsigned>(I), nullptr});
    Item.NumLanes = AllLanes.size() - Item.FirstLane;
  }
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
    if (auto Buffer = dyn_cast<BufferOp>(Op))
      if (scf::ForOp Loop = alternatesIn(Buffer.getSlot()))
        Alternating[Loop];
  });
  addLanes();
  KnownSharings.resize(Items.size() * Items.size());
  return failure(Failed);
}

const Sharings &OrderProof::sharings(unsigned A, unsigned B) {
  std::optional<Sharings> &Known = KnownSharings[A * Items.size() + B];
  if (!Known) {
    bool Waits = isa<FlagWaitOp>(Items[A].Op) || isa<FlagWaitOp>(Items[B].Op);
    Known = Waits ? Sharings() : sharingsOf(Items[A].Op, Items[B].Op);
    NumPairs += !Known->empty();
  }
  return *Known;
}

bool OrderProof::mayBeOpen(const Item &Before, const Sharing &Sharing,
                           Operation *Now, const Lanes &Open) const {
  auto Slots = ArrayRef(Open).slice(Before.FirstLane, Before.NumLanes);
  // Each lane is right by itself: what one of them excludes is excluded.
  if (Sharing.When == Sharing::Kind::Never || llvm::is_contained(Slots, 0))
    return false;
  Operation *Loop = const_cast<scf::ForOp &>(Sharing.Loop);
  if (Sharing.When == Sharing::Kind::SameSlot) {
    for (auto [I, Lane] : llvm::enumerate(
             ArrayRef(AllLanes).slice(Before.FirstLane, Before.NumLanes)))
      if (Lane.Loop == Loop && Loop->isProperAncestor(Now))
        return Slots[I] & 1;
    return true;
  }
  if (Sharing.When == Sharing::Kind::Always)
    return true;
  // Whether what is open may be of this turn.
  Block &Body = Loop->getRegion(0).front();
  Operation *First = Body.findAncestorOpInBlock(*Before.Op);
  Operation *Second = Body.findAncestorOpInBlock(*Now);
  return !First || !Second || First->isBeforeInBlock(Second) ||
         (First == Second && First != Before.Op);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// Open on either way.
static void addOpen(MutableArrayRef<uint8_t> Into, ArrayRef<uint8_t> Other) {
  for (auto [Mine, Theirs] : llvm::zip_equal(Into, Other))
    Mine |= Theirs;
}

/// Open by both accounts.
static void keepOpen(MutableArrayRef<uint8_t> Into, ArrayRef<uint8_t> Other) {
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

/// One more execution, which nobody knows to be complete.
void OrderProof::happen(unsigned Index, State &S) {
  const Item &Item = Items[Index];
  auto Opens = [&](Lanes &Open) {
    for (unsigned I = 0; I < Item.NumLanes; ++I)
      Open[Item.FirstLane + I] |= 1;
  };
  llvm::for_each(S.Open, Opens);
  for (auto &[Event, Open] : S.Raised)
    Opens(Open);
}

/// What is issued starts after all that the scalar unit waited for.
void OrderProof::issue(Pipe Pipe, State &S) {
  keepOpen(S.Open[index(Pipe)], S.Open[index(Pipe::S)]);
}

void OrderProof::barrier(std::optional<Pipe> Pipe, State &S) {
  for (unsigned P = 0; P < NumPipes; ++P)
    for (auto [I, Slots] : llvm::enumerate(S.Open[P]))
      if (!Pipe || (P == index(*Pipe) && Items[AllLanes[I].Item].On == *Pipe))
        Slots = 0;
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
    bool Open = llvm::any_of(sharings(Before, Now), [&](const Sharing &Shared) {
      return mayBeOpen(Items[Before], Shared, Items[Now].Op, S.Open[index(On)]);
    });
    if (!Open)
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
  for (const Item &Item : Items) {
    // What the scalar unit waits for is over before it issues anything else.
    if (Quiet || Item.On == Pipe::S ||
        !mayBeOpen(Item, sharedEvent(Item.Op, Op), Op, S.Open[index(From)]))
      continue;
    report(Op,
           flagText(From, Op.getTo(), Op.getEvent()) +
               " may be raised again before it was awaited",
           Item.Op, "it is awaited here");
  }
  Lanes Told = S.Open[index(From)];
  for (auto [Slots, Lane] : llvm::zip_equal(Told, AllLanes))
    if (Items[Lane.Item].On == From)
      Slots = 0;
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
    report(Op, stringifyPipe(Op.getTo()) + " waits for " +
                   stringifyPipe(Op.getFrom()) + " event " +
                   Twine(Op.getEvent()) + ", which nothing raised" +
                   (Flag == S.Raised.end() ? "" : " on some way here"));
    S.Raised.erase(Event);
    S.Unsure.erase(Event);
    return;
  }
  keepOpen(S.Open[To], Flag->second);
  S.Raised.erase(Flag);
  // Whatever is issued from here on starts after what the scalar unit waited
  // for. Ways that meet later, where it waited on one only, must not hide that.
  if (Op.getTo() == Pipe::S)
    for (Lanes &Open : S.Open)
      keepOpen(Open, S.Open[To]);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void OrderProof::swapSlots(Operation *Loop, Lanes &Open) const {
  for (auto [Slots, Lane] : llvm::zip_equal(Open, AllLanes))
    if (Lane.Loop == Loop)
      Slots = static_cast<uint8_t>((Slots & 1) << 1 | Slots >> 1);
}

/// In its first turn a loop uses slot 0.
void OrderProof::enterLoop(scf::ForOp Loop, State &S) {
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
  for (Lanes &Open : S.Open)
    swapSlots(Loop, Open);
  for (auto &[Event, Open] : S.Raised)
    swapSlots(Loop, Open);
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

/// The next turn would have used slot 0 or slot 1. What a flag of the loop
/// tells belongs to its own slot either way.
void OrderProof::leaveLoop(scf::ForOp Loop, State &S) {
  auto EitherWay = [&](Lanes &Open, Lanes Turned) {
    swapSlots(Loop, Turned);
    addOpen(Open, Turned);
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
  if (auto Instruction = dyn_cast<InstructionInterface>(Op)) {
    // It begins with a wait of the scalar unit for its own pipe.
    if (readsByScalarUnit(&Op))
      barrier(Instruction.getPipe(), S);
    instruction(IndexOf.lookup(&Op), S);
  }
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
    Open.assign(AllLanes.size(), 0);
  execute(Kernel.getBody().front(), S);
  for (const auto &[Event, Open] : S.Raised)
    report(Kernel.getBody().front().getTerminator(),
           flagText(Event.From, Event.To, Event.Number) +
               " is still raised at the end");
  return failure(Failed);
}
