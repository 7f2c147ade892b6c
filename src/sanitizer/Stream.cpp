//===- Stream.cpp - Pipes that run ahead and pipes that wait --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "sanitizer/Sanitizer.h"

namespace belay::sim {

namespace {

bool isFence(const InstructionRecord &I) {
  return (I.Kind == InstructionKind::Barrier && I.On == Pipe::All) ||
         I.Kind == InstructionKind::SyncAll;
}

} // namespace

Sanitizer::Sanitizer(Core &C, SharedChecks &Shared, bool CompilerSync)
    : C(C), Shared(Shared),
      Auto(C.arch().vectorInterlock, C.Kind, CompilerSync), Values(C) {
  Shared.Cross.add(C);
}

Sanitizer::~Sanitizer() = default;

/// The pipe that carries an instruction out. EnQue and FreeTensor set a flag,
/// DeQue and AllocTensor wait for one. A wait for another core holds the whole
/// core back, unless the architecture makes it a matter of one pipe.
Pipe Sanitizer::carrierOf(const InstructionRecord &I) const {
  switch (I.Kind) {
  case InstructionKind::WaitFlag:
  case InstructionKind::DeQue:
  case InstructionKind::Free:
    return I.To;
  case InstructionKind::CrossWait:
    return C.arch().crossWaitHoldsPipe ? I.On : Pipe::S;
  default:
    return I.On;
  }
}

void Sanitizer::onInstruction(const InstructionRecord &I) {
  Sites.issue(Sites.idOf(I));
  if (I.Kind <= InstructionKind::ScalarAccess) {
    checkTensors(I);
    if (!I.OfFunction) {
      checkOverlap(I);
      checkTypes(I);
      checkAtomicType(I);
      flow(I);
    }
  }
  countBuffers(I);
  Clock Scalar = Clocks.scalarNow();
  if (isFence(I)) {
    catchUp();
    for (const auto &Queue : Delayed)
      if (!Queue.empty())
        return reportDeadlock(); // the fence never ends
    take(I, Scalar);
    return;
  }
  Pipe P = carrierOf(I);
  auto &Queue = Delayed[static_cast<unsigned>(P)];
  noteEarlyWait(I);
  if (!Queue.empty() || blocks(I)) {
    Queue.push_back({I, Scalar});
    if (P == Pipe::S)
      reportDeadlock(); // nobody is left to issue the set
    return;
  }
  take(I, Scalar);
  if (I.Kind == InstructionKind::SetFlag)
    catchUp();
}

bool Sanitizer::blocks(const InstructionRecord &I) {
  return I.Kind == InstructionKind::WaitFlag &&
         !Flags.at(I.On, I.To, I.Id).Raised;
}

/// A wait that was issued before its set.
void Sanitizer::noteEarlyWait(const InstructionRecord &I) {
  if (!blocks(I) || delayedSetFor(I))
    return;
  FlagPair &P = Flags.between(I.On, I.To);
  if (!P.EarlyWait) {
    P.EarlyWait = I.PC;
    P.EarlyId = I.Id;
  }
  reportLostSet(I.On, I.To, P);
}

void Sanitizer::reportLostSet(Pipe From, Pipe To, FlagPair &P) {
  if (!P.EarlyWait || !P.AheadSet || P.Reported)
    return;
  P.Reported = true;
  wording::Text T = wording::flagSetLost(From, To, P.EarlyId, P.AheadId);
  Shared.Out.add("flag-deadlock", {&C, P.EarlyWait, "waits"},
                 {&C, P.AheadSet, "set, perhaps too early,"}, T.Message,
                 T.Hint);
}

/// Lets every pipe go on as far as the flags raised so far allow.
void Sanitizer::catchUp() {
  for (bool Moved = true; Moved;) {
    Moved = false;
    for (auto &Queue : Delayed)
      while (!Queue.empty() && !blocks(Queue.front().I)) {
        Issued Next = std::move(Queue.front());
        Queue.pop_front();
        take(Next.I, Next.Scalar);
        Moved = true;
      }
  }
}

void Sanitizer::take(const InstructionRecord &I, const Clock &Scalar) {
  switch (I.Kind) {
  case InstructionKind::Compute:
  case InstructionKind::Copy:
  case InstructionKind::ScalarAccess:
    return touch(I, Scalar);
  case InstructionKind::SetFlag:
    return setFlag(I, Scalar);
  case InstructionKind::WaitFlag:
    return waitFlag(I, Scalar);
  case InstructionKind::Barrier:
    return barrier(I);
  case InstructionKind::Alloc:
  case InstructionKind::EnQue:
  case InstructionKind::DeQue:
  case InstructionKind::Free:
    return queueEvent(I, Scalar);
  case InstructionKind::CrossSet:
    return crossSet(I);
  case InstructionKind::CrossWait:
    return crossWait(I, Scalar);
  case InstructionKind::SyncAll:
    Clocks.barrierAll();
    if (!I.Soft)
      Shared.Flags.syncAll(Shared.Out);
    Shared.Cross.learnDrained(
        C, CrossFlags::syncKey(I.VectorOnly), Clocks.issue(Pipe::S, Scalar),
        Synced[I.VectorOnly]++, [](const Core &) { return true; });
    return;
  case InstructionKind::CacheClean: {
    Epoch Now = Clocks.issue(Pipe::S, Scalar);
    if (I.Object)
      Shared.Caches.clean(C, Now, reinterpret_cast<uint64_t>(I.Object));
    else
      Shared.Caches.cleanAll(C, Now);
    return;
  }
  case InstructionKind::Unlock:
    Mutexes[I.Id].join(Clocks.publish(I.On));
    return;
  case InstructionKind::Lock:
    Clocks.receive(I.On, Mutexes[I.Id]);
    return;
  }
}

void Sanitizer::barrier(const InstructionRecord &I) {
  if (I.On == Pipe::All)
    Clocks.barrierAll();
  else
    Clocks.barrier(I.On);
}

void Sanitizer::setFlag(const InstructionRecord &I, const Clock &Scalar) {
  Flag &F = Flags.at(I.On, I.To, I.Id);
  Epoch Now = Clocks.issue(I.On, Scalar);
  SiteId Where = Sites.idOf(I);
  Sites.take(Where, Now.Time);
  Side Here = {&C, I.PC, "set", {}, Sites.newest(Where).Execution};
  if (F.Raised) {
    wording::Text T = wording::flagSetTwice(I.On, I.To, I.Id);
    Shared.Out.add("flag-set-twice", Here, {&C, F.SetPC, "set before"},
                   T.Message, T.Hint);
  } else if (F.Waits && !Clocks.ordered(F.LastWait, I.On)) {
    wording::Text T = wording::flagRunAhead(I.On, I.To, I.Id);
    Shared.Out.add("flag-run-ahead", Here, {&C, F.WaitPC, "waited for before"},
                   T.Message, T.Hint);
    FlagPair &P = Flags.between(I.On, I.To);
    if (!P.AheadSet) {
      P.AheadSet = I.PC;
      P.AheadId = I.Id;
    }
    reportLostSet(I.On, I.To, P);
  }
  F.Raised = Clocks.publish(I.On);
  (*F.Raised)[I.On] = Now.Time;
  F.SetPC = I.PC;
  ++F.Sets;
}

void Sanitizer::waitFlag(const InstructionRecord &I, const Clock &Scalar) {
  Flag &F = Flags.at(I.On, I.To, I.Id);
  F.LastWait = Clocks.issue(I.To, Scalar);
  Sites.take(Sites.idOf(I), F.LastWait.Time);
  Clocks.receive(I.To, *F.Raised);
  F.Raised.reset();
  F.WaitPC = I.PC;
  ++F.Waits;
}

void Sanitizer::queueEvent(const InstructionRecord &I, const Clock &Scalar) {
  BufferEvents &B = Buffers[I.Object];
  Pipe P = carrierOf(I);
  Clocks.issue(P, Scalar);
  switch (I.Kind) {
  case InstructionKind::EnQue:
    B.Filled = Clocks.publish(P);
    break;
  case InstructionKind::DeQue:
    if (B.Filled)
      Clocks.receive(P, *B.Filled);
    break;
  case InstructionKind::Free:
    B.Emptied = Clocks.publish(P);
    break;
  default: // AllocTensor
    if (B.Emptied)
      Clocks.receive(P, *B.Emptied);
    break;
  }
}

void Sanitizer::onEnd() {
  reportLeaks();
  reportModes();
  catchUp();
  for (const auto &Queue : Delayed)
    if (!Queue.empty())
      return reportDeadlock();
  reportLeftovers();
  // The next block on this core starts when this one has drained, and with an
  // empty cache.
  Clocks.barrierAll();
  Sites.restart();
  Shared.Caches.cleanAll(C, Clocks.issue(Pipe::S, Clocks.scalarNow()));
}

/// The set that a wait is waiting for, if it is itself delayed by a wait.
const InstructionRecord *
Sanitizer::delayedSetFor(const InstructionRecord &Wait) {
  for (auto &Queue : Delayed)
    for (const Issued &X : Queue)
      if (X.I.Kind == InstructionKind::SetFlag && X.I.On == Wait.On &&
          X.I.To == Wait.To && X.I.Id == Wait.Id)
        return &X.I;
  return nullptr;
}

/// Every delayed pipe waits for a flag at its head; its set is either nowhere
/// or delayed by another such wait.
void Sanitizer::reportDeadlock() {
  std::string Chain;
  const InstructionRecord *First = nullptr;
  for (auto &Queue : Delayed) {
    if (Queue.empty())
      continue;
    const InstructionRecord &I = Queue.front().I;
    if (!First || I.Serial < First->Serial)
      First = &I;
    Chain += (Chain.empty() ? "" : "; ") + wording::waiting(I.On, I.To, I.Id);
  }
  if (!First)
    return;
  const InstructionRecord *Set = delayedSetFor(*First);
  const Flag &F = Flags.at(First->On, First->To, First->Id);
  wording::Text T = wording::flagDeadlock(Chain);
  Shared.Out.add(Set || F.Sets ? "flag-deadlock" : "flag-never-set",
                 {&C,
                  First->PC,
                  "waits",
                  {},
                  Sites.newest(Sites.idOf(*First)).Execution + 1},
                 {&C, Set ? Set->PC : F.SetPC,
                  Set ? "set, but only after another wait," : "last set"},
                 T.Message, T.Hint);
  for (auto &Queue : Delayed)
    Queue.clear();
}

void Sanitizer::reportLeftovers() {
  Flags.forEach([&](Pipe From, Pipe To, int32_t Id, Flag &F) {
    if (!F.Raised)
      return;
    wording::Text T = wording::flagLeftSet(From, To, Id, F.Sets, F.Waits);
    Shared.Out.add("flag-left-set", {&C, F.SetPC, "set"},
                   {&C, F.WaitPC, "last waited for"}, T.Message, T.Hint);
  });
}

} // namespace belay::sim
