//===- Order.cpp - Order between and inside the pipes of a core -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same model as the sanitizer's (sanitizer/Stream.cpp): a vector
// clock per pipe, pipes that wait are delayed, queues set and wait for flags.
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::Clock;
using sim::Epoch;
using sim::Pipe;
using sim::Space;
namespace wording = sim::wording;

static unsigned index(Pipe P) { return static_cast<unsigned>(P); }

Pipe Runtime::carrierOf(const Event &E) const {
  switch (E.Kind) {
  case EventKind::WaitFlag:
  case EventKind::DeQue:
  case EventKind::Free:
    return E.To;
  case EventKind::CrossWait:
    return Kernel.Target.arch->crossWaitHoldsPipe ? E.On : Pipe::S;
  default:
    return E.On;
  }
}

static bool isFence(const Event &E) {
  return E.Kind == EventKind::SyncAll ||
         (E.Kind == EventKind::Barrier && E.On == Pipe::All);
}

void Runtime::issue(Event E) {
  if (I.stopped())
    return;
  Clock Scalar = Clocks.scalarNow();
  if (isFence(E)) {
    catchUp();
    for (const auto &Queue : Delayed)
      if (!Queue.empty())
        return reportDeadlock();
    return take(E, Scalar);
  }
  Pipe P = carrierOf(E);
  if (P == Pipe::All)
    P = Pipe::S;
  auto &Queue = Delayed[index(P)];
  if (!Queue.empty() || blocks(E)) {
    Queue.push_back({std::move(E), Scalar});
    if (P == Pipe::S)
      reportDeadlock();
    return;
  }
  bool Sets = E.Kind == EventKind::SetFlag;
  take(E, Scalar);
  if (Sets)
    catchUp();
}

bool Runtime::blocks(const Event &E) {
  return E.Kind == EventKind::WaitFlag && !LostFlags.contains({E.On, E.To}) &&
         !Flags[{E.On, E.To, E.Id}].Raised;
}

void Runtime::catchUp() {
  for (bool Moved = true; Moved;) {
    Moved = false;
    for (auto &Queue : Delayed)
      while (!Queue.empty() && !blocks(Queue.front().E)) {
        Pending Next = std::move(Queue.front());
        Queue.pop_front();
        take(Next.E, Next.Scalar);
        Moved = true;
      }
  }
}

void Runtime::take(const Event &E, const Clock &Scalar) {
  switch (E.Kind) {
  case EventKind::Access:
    return touch(E, Scalar);
  case EventKind::SetFlag:
    return setFlag(E, Scalar);
  case EventKind::WaitFlag:
    return waitFlag(E, Scalar);
  case EventKind::Barrier:
    if (E.On == Pipe::All)
      barrierAll();
    else
      Clocks.barrier(E.On);
    return;
  case EventKind::EnQue:
  case EventKind::DeQue:
  case EventKind::Alloc:
  case EventKind::Free:
    return queueEvent(E, Scalar);
  case EventKind::SyncAll:
    barrierAll();
    hideDirty();
    leaveCaches();
    arriveAtBarrier();
    ++Phase;
    return;
  case EventKind::CrossSet:
    crossSet(E);
    [[fallthrough]];
  case EventKind::CrossWait:
    CrossWaits += E.Kind == EventKind::CrossWait;
    Clocks.issue(carrierOf(E) == Pipe::All ? Pipe::S : carrierOf(E), Scalar);
    return;
  case EventKind::Unlock:
    Mutexes[E.Id].join(Clocks.publish(E.On));
    return;
  case EventKind::Lock:
    Clocks.receive(E.On, Mutexes[E.Id]);
    return;
  }
}

void Runtime::barrierAll() { Clocks.barrierAll(); }

void Runtime::touch(const Event &E, const Clock &Scalar) {
  if (Kernel.Target.split &&
      (E.On == Pipe::M || E.On == Pipe::MTE1 || E.On == Pipe::FIX))
    onCube();
  Epoch Now = Clocks.issue(E.On, Scalar);
  for (bool Writes : {false, true})
    for (const Operand &O : E.Operands)
      if (O.Write == Writes)
        touchOne(E, O, Now);
}

void Runtime::touchOne(const Event &E, const Operand &O, Epoch Now) {
  Bounded<Access> &List = listOf(Accesses, O.In, limits::Accesses);
  Space Where = Regions[O.In].Where;
  if (Where == Space::GM) {
    noteGlobal(E, O, Now);
    noteCache(E, O);
  }
  for (size_t N = 0; N < List.size(); ++N) {
    Access &X = List[N];
    // What the scalar unit stores to local memory is there later than it goes
    // on.
    bool Store = X.When.On == Pipe::S && X.Bytes.Write && Where != Space::GM;
    if ((!X.Bytes.Write && !O.Write) ||
        (X.When.On == Now.On && X.When.Time == Now.Time) ||
        (Store ? Clocks.storeOrdered(X.When, Now.On)
               : Clocks.ordered(X.When, Now.On)) ||
        (X.Bytes.Atomic && O.Atomic))
      continue;
    if (Where == Space::L0C &&
        (X.When.On == Pipe::M && Now.On == Pipe::M ? X.Interlocked
                                                   : X.UnitFlag && E.UnitFlag))
      continue;
    auto Order = [&] {
      Store ? Clocks.orderStore(X.When, Now.On) : Clocks.order(X.When, Now.On);
    };
    if (Auto.orders(X.When.On, Now.On, X.ByPointer || E.ByPointer)) {
      // The flag that the compiler inserts orders all before it.
      if (X.When.On != Now.On && overlap(X.Bytes, O))
        Order();
      continue;
    }
    if (disjoint(X.Bytes, O))
      continue;
    wording::Actor Before = {X.Name, X.When.On, X.Bytes.Write, X.ByPointer},
                   After = {E.Name, Now.On, O.Write, E.ByPointer};
    if (overlap(X.Bytes, O)) {
      Kernel.find(
          wording::raceId(Before, After), {E.At, wording::roleOf(After)},
          {X.At, wording::roleOf(Before)}, wording::race(Before, After, Where),
          bufferOf(O), {}, ~size_t(0), X.Choices);
      Order();
    } else {
      Kernel.require(Topic::Sync, E.At,
                     "whether " + E.Name + " and the " + X.Name +
                         " before it touch the same bytes of " + bufferOf(O) +
                         " is decided by the launch",
                     {{Clause::Atom::Kind::NotNegative,
                       O.Begin - X.Bytes.Begin - X.Bytes.Span},
                      {Clause::Atom::Kind::NotNegative,
                       X.Bytes.Begin - O.Begin - O.Span}});
    }
  }
  // What this access covers, and is ordered with, need not be asked again.
  if (O.Write)
    List.eraseIf([&](const Access &X) {
      return X.Bytes.In == O.In && Clocks.ordered(X.When, Now.On) &&
             I.facts().holds(X.Bytes.Begin - O.Begin) &&
             I.facts().holds(O.Begin + O.Certain - X.Bytes.Begin -
                             X.Bytes.Span);
    });
  else
    List.eraseIf([&](const Access &X) {
      return !X.Bytes.Write && X.When.On == Now.On && X.At == E.At &&
             X.Bytes.Begin == O.Begin && X.Bytes.Span == O.Span &&
             X.Bytes.Pitch == O.Pitch;
    });
  if (isOnlyRead(O) || continuesOne(List, E, O, Now))
    return;
  List.push_back({O, Now, E.Name, E.At, E.UnitFlag, E.Interlocked, E.ByPointer,
                  false, Kernel.Found.choices()});
}

/// Elements that the scalar unit reads or writes in a loop, one after the
/// other, are one access. Between two writes nothing may be told to another
/// pipe, which then knows of the first one only; reads are complete whatever
/// follows.
bool Runtime::continuesOne(Bounded<Access> &List, const Event &E,
                           const Operand &O, Epoch Now) const {
  auto IsWhole = [](const Operand &Of) {
    return Of.Size == Operand::Extent::Exact && !Of.Scattered && !Of.Pitch &&
           !Of.Atomic && Of.Begin.isConstant() && Of.Span.isConstant() &&
           Of.Certain == Of.Span;
  };
  if (Now.On != Pipe::S || !IsWhole(O) ||
      any_of(Delayed, [](const auto &Queue) { return !Queue.empty(); }))
    return false;
  for (size_t N = 0; N < List.size(); ++N) {
    Access &X = List[N];
    if (X.At != E.At || X.When.On != Pipe::S || X.Bytes.Write != O.Write ||
        X.ByPointer != E.ByPointer || X.Widened || !IsWhole(X.Bytes) ||
        !(X.Bytes.Begin + X.Bytes.Span == O.Begin) ||
        (O.Write && X.When.Time + 1 != Now.Time))
      continue;
    X.Bytes.Span = X.Bytes.Certain = X.Bytes.Span + O.Span;
    X.When = Now;
    return true;
  }
  return false;
}

/// Whether an access is a read of an argument that nothing writes: in a proof
/// it need not be remembered. Where it is written after all, the proof begins
/// anew.
bool Runtime::isOnlyRead(const Operand &O) {
  if (!argumentOf(O.In) && !listOfTensor(O.In))
    return false;
  unsigned Argument = globalNumber(O.In);
  if (O.Write)
    Kernel.Retry |=
        Kernel.WrittenArguments.insert(Argument).second && Kernel.Proving;
  return Kernel.Proving && !Kernel.WrittenArguments.count(Argument);
}

/// What was done to a buffer that is free again: one read and one write for
/// each pipe, the last ones, of all its bytes. Who knows of the last one knows
/// of those before it. So all iterations leave the same behind. What may reach
/// past the buffer stays as it is.
void Runtime::forgetPlaces(RegionId R) {
  Bounded<Access> &List = listOf(Accesses, R, limits::Accesses);
  const Number Bytes = Regions[R].Bytes;
  std::vector<Access> OfAllBytes;
  for (size_t N = 0; N < List.size(); ++N) {
    Operand &O = List[N].Bytes;
    if (!I.facts().holds(O.Begin) || !I.facts().holds(Bytes - O.Begin - O.Span))
      continue;
    O.Begin = O.Certain = Number();
    O.Span = Bytes;
    O.Pitch.reset();
    OfAllBytes.push_back(List[N]);
  }
  // Y is an access of all bytes, too, and says all that X does.
  auto IsBefore = [](const Access &X, const Access &Y) {
    return X.When.On == Y.When.On && X.Bytes.Write == Y.Bytes.Write &&
           X.Bytes.Atomic == Y.Bytes.Atomic && X.UnitFlag == Y.UnitFlag &&
           X.Interlocked == Y.Interlocked && X.ByPointer == Y.ByPointer &&
           X.When.Time < Y.When.Time && X.Bytes.Begin == Y.Bytes.Begin &&
           X.Bytes.Span == Y.Bytes.Span;
  };
  List.eraseIf([&](const Access &X) {
    return any_of(OfAllBytes, [&](const Access &Y) { return IsBefore(X, Y); });
  });
}

void Runtime::setFlag(const Event &E, const Clock &Scalar) {
  FlagState &F = Flags[{E.On, E.To, E.Id}];
  Epoch Now = Clocks.issue(E.On, Scalar);
  // From here on as if flags could count: what follows is another mistake.
  F.Lost += F.Raised.has_value();
  if (F.Raised)
    Kernel.find("flag-set-twice", {E.At, "set"}, {F.SetAt, "set before"},
                wording::flagSetTwice(E.On, E.To, E.Id));
  else if (F.Waits && !Clocks.ordered(F.LastWait, E.On))
    Kernel.unknown(
        Topic::Flags, E.At,
        wording::flagRunAhead(E.On, E.To, E.Id).Message +
            "; the documentation does not say whether the flag counts");
  F.Raised = Clocks.publish(E.On);
  (*F.Raised)[E.On] = Now.Time;
  F.SetAt = E.At;
  ++F.Sets;
}

void Runtime::waitFlag(const Event &E, const Clock &Scalar) {
  FlagState &F = Flags[{E.On, E.To, E.Id}];
  F.LastWait = Clocks.issue(E.To, Scalar);
  if (F.Raised)
    Clocks.receive(E.To, *F.Raised);
  if (F.Lost)
    --F.Lost;
  else
    F.Raised.reset();
  F.WaitAt = E.At;
  ++F.Waits;
}

void Runtime::queueEvent(const Event &E, const Clock &Scalar) {
  Buffer &B = Buffers[E.Buffer];
  Pipe P = carrierOf(E);
  Clocks.issue(P, Scalar);
  switch (E.Kind) {
  case EventKind::EnQue:
    B.Filled = Clocks.publish(P);
    break;
  case EventKind::DeQue:
    if (B.Filled)
      Clocks.receive(P, *B.Filled);
    break;
  case EventKind::Free:
    B.Emptied = Clocks.publish(P);
    if (Kernel.Proving)
      forgetPlaces(B.In);
    break;
  default:
    if (B.Emptied)
      Clocks.receive(P, *B.Emptied);
    break;
  }
}

void Runtime::reportDeadlock() {
  std::string Chain;
  const Event *First = nullptr;
  for (auto &Queue : Delayed) {
    if (Queue.empty())
      continue;
    const Event &E = Queue.front().E;
    if (!First ||
        I.ast().getSourceManager().isBeforeInTranslationUnit(E.At, First->At))
      First = &E;
    Chain += (Chain.empty() ? "" : "; ") + wording::waiting(E.On, E.To, E.Id);
  }
  if (!First || First->Kind != EventKind::WaitFlag)
    return;
  const Event *Set = nullptr;
  for (auto &Queue : Delayed)
    for (const Pending &X : Queue)
      if (X.E.Kind == EventKind::SetFlag && X.E.On == First->On &&
          X.E.To == First->To && X.E.Id == First->Id && !Set)
        Set = &X.E;
  const FlagState &F = Flags[{First->On, First->To, First->Id}];
  KernelState::Side Other;
  if (Set)
    Other = {Set->At, "set, but only after another wait,"};
  else if (F.Sets)
    Other = {F.SetAt, "last set"};
  Kernel.find(Set || F.Sets ? "flag-deadlock" : "flag-never-set",
              {First->At, "waits"}, Other, wording::flagDeadlock(Chain));
  for (auto &Queue : Delayed)
    Queue.clear();
  I.stopAtMistake();
}

void Runtime::reportLeftovers() {
  for (const auto &[Key, F] : Flags)
    if (F.Raised && !LostFlags.contains({std::get<0>(Key), std::get<1>(Key)}))
      Kernel.find("flag-left-set", {F.SetAt, "set"},
                  {F.WaitAt, "last waited for"},
                  wording::flagLeftSet(std::get<0>(Key), std::get<1>(Key),
                                       std::get<2>(Key), F.Sets, F.Waits));
}
