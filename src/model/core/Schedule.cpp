//===- Schedule.cpp - Pipes that run out of program order -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Schedule.h"

#include "model/core/Device.h"
#include "model/core/Failure.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace belay::sim {

Schedule::Schedule(Core &C, uint64_t Seed, bool CompilerSync)
    : C(C), Auto(C.arch().vectorInterlock, C.Kind, CompilerSync) {
  std::seed_seq Words{static_cast<uint32_t>(Seed),
                      static_cast<uint32_t>(Seed >> 32), C.Group, C.SubBlock,
                      static_cast<uint32_t>(C.Kind)};
  Random.seed(Words);
  // Extremes find more than averages: a scalar unit far ahead of all pipes, one
  // pipe hundreds of times slower than another, no reordering or much of it.
  // Never 0: a kernel may poll for what its own pipes or other cores do.
  constexpr double Choices[] = {0.01, 0.3, 0.6, 0.9};
  auto Choose = [&](auto &From) { return From[Random() % std::size(From)]; };
  Eagerness = Seed ? Choose(Choices) : 1;
  Reordering = Seed ? Choose(Choices) : 0;
  Yielding = Seed ? Choose(Choices) / 4 : Choices[0];
  for (double &S : Speed)
    S = std::exp2(Real(Random) * 12);
}

// --- what the scalar unit issues ---------------------------------------------

std::vector<Schedule::Bytes> Schedule::bytesOf(const InstructionRecord &I) {
  std::vector<Bytes> All;
  for (unsigned N = 0; N < I.NumOperands; ++N) {
    const OperandRecord &O = I.Operands[N];
    auto Begin = reinterpret_cast<uint64_t>(O.Address);
    All.push_back({Begin, Begin + O.Bytes.span(), O.Write});
  }
  return All;
}

void Schedule::defer(const InstructionRecord &I, bool Anywhere,
                     std::function<void()> Body) {
  Step S(I, I.On);
  S.Last = I.Kind == InstructionKind::CrossSet;
  S.UnitFlag = I.UnitFlag;
  S.Interlocked = I.Interlocked;
  S.Body = std::move(Body);
  S.Operands = bytesOf(I);
  if (Anywhere)
    S.Operands.push_back({0, ~uint64_t(0), true});
  S.Issued = std::make_unique<Registers>(C.Regs);
  Queue &Q = queueOf(I.On);
  Q.push_back(std::move(S));
  runUntil([&] { return Q.size() <= Capacity; });
  wander();
}

void Schedule::set(const InstructionRecord &I, Pipe P,
                   std::function<void()> Raise) {
  if (P == Pipe::S) // in order, so all before is done
    return Raise();
  Step S(I, P);
  S.Last = true;
  S.Body = std::move(Raise);
  queueOf(P).push_back(std::move(S));
}

void Schedule::wait(const InstructionRecord &I, Pipe P,
                    std::function<bool()> Ready, std::function<void()> Clear) {
  Step S(I, P);
  S.First = true;
  S.Ready = std::move(Ready);
  S.Body = std::move(Clear);
  Queue &Q = queueOf(P);
  Q.push_back(std::move(S));
  if (P == Pipe::S)
    runUntil([&] { return Q.empty(); });
}

void Schedule::waitFor(const InstructionRecord &I, Pipe P, Token T) {
  if (T)
    wait(I, P, [this, T] { return !Pending.count(T); }, [] {});
}

void Schedule::follow(const InstructionRecord &I) {
  auto Announce = [&](Pipe P) {
    Token T = NextToken++;
    Pending.insert(T);
    set(I, P, [this, T] { Pending.erase(T); });
    return T;
  };
  std::tuple Flag(I.On, I.To, I.Id);
  switch (I.Kind) {
  case InstructionKind::SetFlag: // one bit: a second set is lost
    set(I, I.On, [this, Flag] { Flags.insert(Flag); });
    break;
  case InstructionKind::WaitFlag:
    wait(
        I, I.To, [this, Flag] { return Flags.count(Flag) != 0; },
        [this, Flag] { Flags.erase(Flag); });
    break;
  case InstructionKind::Barrier:
    if (I.On == Pipe::All)
      return drain();
    if (I.On != Pipe::S) {
      set(I, I.On, [] {});
      queueOf(I.On).back().First = true;
    }
    break;
  case InstructionKind::EnQue:
    Buffers[I.Object].Filled = Announce(I.On);
    break;
  case InstructionKind::DeQue:
    waitFor(I, I.To, Buffers[I.Object].Filled);
    break;
  case InstructionKind::Free:
    Buffers[I.Object].Emptied = Announce(I.To);
    break;
  case InstructionKind::Alloc:
    waitFor(I, I.On, Buffers[I.Object].Emptied);
    break;
  case InstructionKind::Unlock:
    Unlocked[I.Id].push_back(Announce(I.On));
    break;
  case InstructionKind::Lock:
    for (Token T : Unlocked[I.Id])
      waitFor(I, I.On, T);
    Unlocked[I.Id].clear();
    break;
  case InstructionKind::ScalarAccess:
    scalarAccess(I);
    break;
  default: // other cores: the instruction itself has drained or settled
    break;
  }
  wander();
}

/// Where the compiler makes the scalar unit wait for a pipe, it waits for all
/// up to the instruction in question.
void Schedule::scalarAccess(const InstructionRecord &I) {
  Step Access(I, Pipe::S);
  Access.Operands = bytesOf(I);
  for (unsigned P = 0; P < NumQueues; ++P) {
    if (!Auto.orders(static_cast<Pipe>(P), Pipe::S, I.ByPointer))
      continue;
    Queue &Q = Queues[P];
    runUntil([&] {
      return std::none_of(Q.begin(), Q.end(),
                          [&](const Step &S) { return conflict(S, Access); });
    });
  }
}

// --- what the pipes do -------------------------------------------------------

bool Schedule::conflict(const Step &A, const Step &B) {
  for (const Bytes &X : A.Operands)
    for (const Bytes &Y : B.Operands)
      if ((X.Write || Y.Write) && X.Begin < Y.End && Y.Begin < X.End)
        return true;
  return false;
}

/// Mmad and Fixpipe with a unit flag follow each other without a SetFlag.
bool Schedule::waitsForUnitFlag(const Step &S) const {
  if (!S.UnitFlag)
    return false;
  Pipe Other = S.On == Pipe::M ? Pipe::FIX : Pipe::M;
  const Queue &Q = Queues[static_cast<unsigned>(Other)];
  return std::any_of(Q.begin(), Q.end(), [&](const Step &X) {
    return X.UnitFlag && X.Serial < S.Serial && conflict(X, S);
  });
}

/// Whether a step has to wait for an earlier one of its pipe, or for a flag.
bool Schedule::held(const Queue &Q, size_t Index) const {
  const Step &S = Q[Index];
  if ((S.Last && Index) || (S.Ready && !S.Ready()) || waitsForUnitFlag(S))
    return true;
  bool InOrder = Auto.orders(S.On, S.On);
  for (size_t N = 0; N < Index; ++N)
    if (Q[N].First || ((InOrder || Q[N].Interlocked) && conflict(Q[N], S)))
      return true;
  return false;
}

/// Instructions see the registers that they were issued with, and leave their
/// results in the ones of the core.
void Schedule::carryOut(Step S) {
  const void *Before = std::exchange(Replayed, S.PC);
  if (S.Issued) {
    Registers Now = C.Regs;
    C.Regs = *S.Issued;
    C.Regs.takeResults(Now);
    S.Body();
    Now.takeResults(C.Regs);
    C.Regs = Now;
  } else {
    S.Body();
  }
  Replayed = Before;
}

bool Schedule::advance() {
  std::array<size_t, NumQueues> Chosen;
  double Total = 0;
  std::array<double, NumQueues> Weight = {};
  for (unsigned P = 0; P < NumQueues; ++P) {
    const Queue &Q = Queues[P];
    // The first that may run, or, where the pipe reorders, a later one.
    for (size_t N = 0; N < Q.size(); ++N) {
      if (!held(Q, N)) {
        Chosen[P] = N;
        Weight[P] = Speed[P];
        if (!chance(Reordering))
          break;
      }
      if (Q[N].First)
        break;
    }
    Total += Weight[P];
  }
  if (Total == 0)
    return false;
  double At = Real(Random) * Total;
  unsigned P = 0;
  // Rounding may leave a rest behind the last pipe: it takes that as well.
  for (unsigned Each = 0; Each < NumQueues && At >= 0; ++Each)
    if (Weight[Each] != 0) {
      P = Each;
      At -= Weight[Each];
    }
  Queue &Q = Queues[P];
  Step S = std::move(Q[Chosen[P]]);
  Q.erase(Q.begin() + static_cast<long>(Chosen[P]));
  carryOut(std::move(S));
  return true;
}

/// Between two instructions of the scalar unit the pipes do as they like.
void Schedule::wander() {
  while (chance(Eagerness) && advance())
    ;
  if (chance(Yielding))
    C.device().slots().yield();
}

void Schedule::runUntil(const std::function<bool()> &Done) {
  while (!Done())
    if (!advance())
      stuck();
}

void Schedule::drain() {
  runUntil([&] {
    return std::all_of(Queues.begin(), Queues.end(),
                       [](const Queue &Q) { return Q.empty(); });
  });
}

bool Schedule::linger() { return !chance(Eagerness) || advance(); }

void Schedule::stuck() {
  std::string Chain;
  const Step *First = nullptr;
  for (const Queue &Q : Queues) {
    if (Q.empty())
      continue;
    if (!First || Q.front().Serial < First->Serial)
      First = &Q.front();
    Chain += (Chain.empty() ? "" : "; ") + std::string(nameOf(Q.front().On)) +
             " stands at " + Q.front().Name;
  }
  fail("flag-deadlock", First->PC,
       "set each flag once before each wait for it, on every path",
       "in this order of the pipes the core stops for ever: %s", Chain.c_str());
}

} // namespace belay::sim
