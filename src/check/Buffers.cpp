//===- Buffers.cpp - Queues, buffers, capacity ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Runtime.h"

using namespace belay;
using namespace belay::check;
using namespace llvm;
using sim::BufferState;
using sim::Pipe;
using sim::Space;
namespace wording = sim::wording;

static constexpr int64_t Granule = 32;

uint32_t Runtime::capacityOf(Space S) const {
  const targets::Soc &T = Kernel.Target;
  switch (S) {
  case Space::UB:
    return targets::usableUb(T);
  case Space::L1:
    return T.l1;
  case Space::L0A:
    return T.l0a;
  case Space::L0B:
    return T.l0b;
  case Space::L0C:
    return T.l0c;
  case Space::BT:
    return T.bt;
  case Space::FB:
    return T.fb[0] + T.fb[1] + T.fb[2] + T.fb[3];
  default:
    return 0;
  }
}

/// Whole granules, as far as the number is known.
static Number rounded(const Number &Bytes) {
  if (Bytes.isConstant())
    return Number((Bytes.constant() + Granule - 1) / Granule * Granule);
  return Bytes;
}

/// Buffers, and tensors at fixed places, which may be the same bytes.
void Runtime::sharesMemory() {
  for (Topic T : {Topic::Sync, Topic::Values})
    Kernel.unknown(T, I.here(),
                   "which buffers lie at the same place is not followed");
}

/// Takes memory for Num buffers, and says so if there is not enough.
void Runtime::reserve(Space S, const Value &Num, const Value &Bytes) {
  if (S == Space::Host)
    return; // from a pool
  if (!Num.isNumber() || !Bytes.isNumber()) {
    Kernel.unknown(Topic::Capacity, I.here(),
                   "the size of a buffer is not followed");
    return;
  }
  Number Each = rounded(Bytes.N);
  std::optional<Number> More = Number::multiply(Each, Num.N);
  Number &Total = Used[static_cast<unsigned>(S)];
  if (!More)
    return Kernel.unknown(Topic::Capacity, I.here(),
                          "the size of a buffer is not followed");
  Number Before = Total;
  Number After = Total + *More;
  Number Left = Number(capacityOf(S)) - After;
  Symbols &Names = I.symbols();
  // What the API keeps for itself is the kernel's by a flag of the compiler.
  int64_t Kept = S == Space::UB ? Kernel.Target.ub - capacityOf(S) : 0;
  if (After.isConstant() && Left.constant() < 0 && Left.constant() + Kept >= 0)
    Kernel.unknown(Topic::Capacity, I.here(),
                   "it fits if the kernel is built with "
                   "--cce-disable-asc-reserved-ubuf: " +
                       Names.str(After) + " of " + Twine(Kernel.Target.ub) +
                       " bytes, of which the API keeps " + Twine(Kept));
  else if (I.facts().holds(Number(-1) - Left)) {
    Kernel.find("local-capacity", {I.here(), ""}, {},
                wording::localCapacity(Names.str(Num.N), Names.str(Each), S,
                                       Names.str(Before), Names.str(After),
                                       capacityOf(S)),
                I.firstArgument());
    I.stopAtMistake();
    return;
  }
  Total = After;
  // With each buffer rounded up, which is what it takes.
  std::optional<Number> Rounded = wholeBlocks(Bytes.N);
  if (Rounded)
    Rounded = Number::multiply(*Rounded, Num.N);
  Number &Taken = UsedRounded[static_cast<unsigned>(S)];
  Taken = Taken + Rounded.value_or(Number::unknown());
  Number Needed = Number(capacityOf(S)) - Taken;
  if (!I.facts().holds(Needed))
    Kernel.requireNotNegative(Topic::Capacity, I.here(),
                              "it fits if " + Names.str(After) +
                                  " <= " + Twine(capacityOf(S)) +
                                  ", which the launch decides",
                              Needed);
  if (!I.facts().holds(Left)) {
    for (const Number::Term &T : After.terms())
      for (SymbolId X : T.Of) {
        Names[X].Sizes = true;
        Names[X].SizesAlone |= T.Of.size() == 1;
      }
    I.facts().assume(Left);
    RoomFacts.push_back(Left);
  }
}

PathId Runtime::take(Space S, const Number &Num, const Number &Bytes,
                     unsigned Index, const std::string &Name) {
  RegionId R = Regions.size();
  std::string Shown = Name;
  Regions.push_back({S == Space::Host ? Space::UB : S, Shown, rounded(Bytes),
                     true, Origin::Data, 0});
  PathId Record = I.makeObject(I.abiRecord("BufferRecord"));
  I.setMember(Record, "Address", Value::address(R, 0));
  I.setMember(Record, "Bytes", Value::number(rounded(Bytes)));
  I.setMember(Record, "Generation", Value::number(0));
  if (Fixed.count(S))
    sharesMemory();
  Buffer &B = Buffers[Record];
  B.Record = Record;
  B.In = R;
  B.Name = Shown;
  return Record;
}

void Runtime::setGeneration(Buffer &B, uint32_t Generation) {
  B.Generation = Generation;
  I.setMember(B.Record, "Generation", Value::number(Generation));
}

Queue *Runtime::findQueue(PathId Q) {
  auto At = Queues.find(Q);
  return At == Queues.end() ? nullptr : &At->second;
}

static Pipe memberPipe(Interpreter &I, PathId Q, StringRef Name) {
  std::optional<int64_t> C = I.member(Q, Name).constant();
  return C ? static_cast<Pipe>(*C) : Pipe::S;
}

void Runtime::queueInit(PathId Q, Space S, const Value &Num,
                        const Value &Bytes) {
  if (!Q)
    return Kernel.unknownEverywhere(I.here(), "which queue is meant is not "
                                              "followed");
  std::optional<int64_t> Count = Num.constant();
  if (Count && (*Count <= 0 || *Count > sim::MaxQueueBuffers)) {
    Kernel.find("buffer-count", {I.here(), ""}, {},
                wording::bufferNumber(*Count));
    return I.stopAtMistake();
  }
  reserve(S, Num, Bytes);
  if (I.stopped())
    return;
  if (!Count)
    Kernel.unknown(Topic::Queues, I.here(),
                   "the number of buffers is decided by the launch; two are "
                   "assumed");
  Queue &New = Queues[Q];
  New = Queue();
  New.Name = I.firstArgument();
  New.Producer = memberPipe(I, Q, "Producer");
  New.Consumer = memberPipe(I, Q, "Consumer");
  New.Depth = I.member(Q, "Depth").constant().value_or(0);
  for (int64_t N = 0; N < Count.value_or(2); ++N) {
    PathId B =
        take(S, Num.N, Bytes.isNumber() ? Bytes.N : Number(), N, New.Name);
    Buffer &Made = Buffers[B];
    Made.Queue = Q;
    Made.Producer = New.Producer;
    Made.Consumer = New.Consumer;
    New.Buffers.push_back(B);
  }
}

void Runtime::countBuffers(Pipe From, Pipe To) {
  uint32_t Ids = Kernel.Target.arch->eventIds, Live = 0;
  for (const auto &[_, B] : Buffers)
    Live += B.Queue && B.State != BufferState::Free && B.Producer == From &&
            B.Consumer == To;
  if (Live > Ids)
    Kernel.find("buffer-count", {I.here(), ""}, {},
                wording::tooManyTensors(Live, From, To, Ids));
}

Value Runtime::queueAlloc(PathId Q) {
  Queue *Of = findQueue(Q);
  if (!Of || Of->Buffers.empty()) {
    if (!Q)
      I.giveUp(I.here(), "which queue is meant is not followed");
    else if (!Of && isa_and_nonnull<clang::ParmVarDecl>(I.store().rootOf(Q)))
      I.giveUp(I.here(), "a queue that was passed by value is not followed");
    else
      Kernel.find("queue-state", {I.here(), ""}, {}, wording::noBuffers());
    I.stopAtMistake();
    return {};
  }
  for (size_t Tries = 0; Tries < Of->Buffers.size(); ++Tries) {
    Buffer &B = Buffers[Of->Buffers[Of->Next]];
    Of->Next = (Of->Next + 1) % Of->Buffers.size();
    if (B.State != BufferState::Free)
      continue;
    B.State = BufferState::Occupied;
    B.Changed = ++Ticks;
    B.AllocatedAt = I.here();
    setGeneration(B, B.Generation + 1);
    writtenTo(B.In).clear(); // nothing that is in it may be relied upon
    Event E = makeEvent(Of->Producer, EventKind::Alloc);
    E.To = Of->Consumer;
    E.Buffer = B.Record;
    issue(std::move(E));
    countBuffers(Of->Producer, Of->Consumer);
    return Value::pointer(B.Record);
  }
  Kernel.find("queue-exhausted", {I.here(), ""}, {},
              wording::queueExhausted(Of->Buffers.size(),
                                      Buffers[Of->Buffers[0]].State),
              Of->Name);
  I.stopAtMistake();
  return {};
}

void Runtime::queueEnque(PathId Q, const Value &V, const Value &Generation,
                         Pipe Producer, Pipe Consumer) {
  Queue *Of = findQueue(Q);
  auto At = Buffers.find(V.isPointer() ? V.Id : 0);
  if (!Of || V.What == Value::Kind::Unknown)
    return I.giveUp(I.here(), "which tensor is enqueued is not followed");
  if (At == Buffers.end() || At->second.Queue != Q) {
    Kernel.find("wrong-queue", {I.here(), ""}, {},
                wording::wrongQueue("EnQue"));
    return I.stopAtMistake();
  }
  Buffer &B = At->second;
  if (B.State == BufferState::Free ||
      Generation.constant().value_or(B.Generation) != B.Generation) {
    Kernel.find("use-after-free", {I.here(), "used"}, {B.FreedAt, "freed"},
                wording::enqueFreed(), B.Name);
    return I.stopAtMistake();
  }
  if (B.State == BufferState::InQueue) {
    Kernel.find("queue-state", {I.here(), ""}, {}, wording::enqueState(B.State),
                B.Name);
    return I.stopAtMistake();
  }
  if (Of->Depth && Of->Held.size() >= Of->Depth) {
    Kernel.find("queue-state", {I.here(), ""}, {},
                wording::enqueDepth(Of->Depth, Of->Held.size()), B.Name);
    return I.stopAtMistake();
  }
  Of->Held.push_back(B.Record);
  B.State = BufferState::InQueue;
  Event E = makeEvent(Producer, EventKind::EnQue);
  E.To = Consumer;
  E.Buffer = B.Record;
  issue(std::move(E));
}

Value Runtime::queueDeque(PathId Q, Pipe Producer, Pipe Consumer) {
  Queue *Of = findQueue(Q);
  if (!Of) {
    I.giveUp(I.here(), "which queue is meant is not followed");
    return {};
  }
  if (Of->Held.empty()) {
    Kernel.find("queue-empty", {I.here(), ""}, {}, wording::queueEmpty(),
                Of->Name);
    I.stopAtMistake();
    return {};
  }
  PathId Record = Of->Held.front();
  Of->Held.pop_front();
  Buffers[Record].State = BufferState::DeQueued;
  Event E = makeEvent(Producer, EventKind::DeQue);
  E.To = Consumer;
  E.Buffer = Record;
  issue(std::move(E));
  return Value::pointer(Record);
}

void Runtime::queueFree(PathId Q, const Value &V, const Value &Generation) {
  Queue *Of = findQueue(Q);
  auto At = Buffers.find(V.isPointer() ? V.Id : 0);
  if (!Of || V.What == Value::Kind::Unknown)
    return I.giveUp(I.here(), "which tensor is freed is not followed");
  if (At == Buffers.end() || At->second.Queue != Q) {
    Kernel.find("wrong-queue", {I.here(), ""}, {},
                wording::wrongQueue("FreeTensor"));
    return I.stopAtMistake();
  }
  Buffer &B = At->second;
  if (B.State == BufferState::Free ||
      Generation.constant().value_or(B.Generation) != B.Generation) {
    Kernel.find("double-free", {I.here(), "freed"}, {B.FreedAt, "freed before"},
                wording::doubleFree(), B.Name);
    return I.stopAtMistake();
  }
  B.State = BufferState::Free;
  B.Changed = ++Ticks;
  B.FreedAt = I.here();
  Event E = makeEvent(Of->Producer, EventKind::Free);
  E.To = Of->Consumer;
  E.Buffer = B.Record;
  issue(std::move(E));
}

/// Tensors of the buffers given out so far are dead from here on.
void Runtime::pipeReset() {
  if (!Buffers.empty())
    Kernel.unknown(
        Topic::Sync, I.here(),
        "what uses memory after Reset is not compared with what used "
        "it before");
  for (Number &Each : Used)
    Each = Number();
  for (Number &Each : UsedRounded)
    Each = Number();
  for (auto &[_, B] : Buffers) {
    B.State = BufferState::Free;
    B.FreedAt = I.here();
    B.Queue = 0;
    setGeneration(B, B.Generation + 1);
  }
}

void Runtime::reportLeaks() {
  for (const auto &[_, B] : Buffers)
    if (B.Queue && B.State != BufferState::Free)
      Kernel.find("tensor-leak", {B.AllocatedAt, "allocated"}, {},
                  wording::tensorLeak(), B.Name);
}
