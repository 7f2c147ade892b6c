//===- ThreadBlock.cpp - The threads of one function ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "threads/ThreadBlock.h"

#include "threads/Warp.h"

#include <algorithm>
#include <bit>

namespace belay::sim {

thread_local ThreadBlock *ThreadBlock::Current = nullptr;

ThreadBlock::ThreadBlock(ThreadListener &L, ThreadBody *Body, void *Closure,
                         uint32_t X, uint32_t Y, uint32_t Z)
    : Listener(L), Body(Body), Closure(Closure), Extents{X, Y, Z},
      Count(X * Y * Z), Threads(Count) {}

ThreadBlock::~ThreadBlock() {
  for (const Fiber &F : Fibers)
    giveStack(F.Memory);
}

uint32_t ThreadBlock::index(uint32_t Dimension) const {
  switch (Dimension) {
  case 0:
    return Now % Extents[0];
  case 1:
    return Now / Extents[0] % Extents[1];
  case 2:
    return Now / Extents[0] / Extents[1];
  default:
    return 0;
  }
}

/// The bottom of each stack: one thread after the other.
void ThreadBlock::enter() {
  for (;;) {
    ThreadBlock &B = *Current;
    B.Body(B.Closure);
    B.Idle.push_back(B.Threads[B.Now].Fiber);
    B.leave(State::Ended);
  }
}

uint32_t ThreadBlock::freeFiber() {
  if (!Idle.empty()) {
    uint32_t F = Idle.back();
    Idle.pop_back();
    return F;
  }
  auto F = static_cast<uint32_t>(Fibers.size());
  Stack S = takeStack();
  Fibers.push_back({S, prepareStack(S, &enter, F)});
  return F;
}

void ThreadBlock::resume(uint32_t T) {
  Thread &X = Threads[T];
  if (X.Fiber == NoFiber)
    X.Fiber = freeFiber();
  Now = T;
  Listener.onStack(Fibers[X.Fiber].Memory);
  belay_switch_stack(&Scheduler, Fibers[X.Fiber].Pointer);
}

void ThreadBlock::leave(State S) {
  Threads[Now].Is = S;
  belay_switch_stack(&Fibers[Threads[Now].Fiber].Pointer, Scheduler);
}

void ThreadBlock::run() {
  Current = this;
  do {
    for (uint32_t First = 0; First < Count; First += WarpThreads)
      runWarp(First, std::min(First + WarpThreads, Count));
  } while (!settle());
  Current = nullptr;
  Listener.onStack({});
}

void ThreadBlock::runWarp(uint32_t First, uint32_t Last) {
  do {
    for (uint32_t T = First; T < Last; ++T)
      if (Threads[T].Is == State::Ready)
        resume(T);
  } while (settleWarp(First, Last));
}

/// Threads of a warp that wait for each other go on: those at the lowest
/// address of the code, as the device does it, so that those that are still in
/// a loop come before those that have left it. False if there are none.
bool ThreadBlock::settleWarp(uint32_t First, uint32_t Last) {
  const void *Lowest = nullptr;
  for (uint32_t T = First; T < Last; ++T) {
    const Thread &X = Threads[T];
    if (X.Is == State::Passed)
      return false;
    if (X.Is == State::AtExchange && (!Lowest || X.At.PC < Lowest))
      Lowest = X.At.PC;
  }
  if (!Lowest)
    return false;
  uint32_t Mask = 0;
  for (uint32_t T = First; T < Last; ++T)
    if (Threads[T].Is == State::AtExchange && Threads[T].At.PC == Lowest)
      Mask |= 1u << (T - First);
  exchangeAmong(First, Mask);
  return true;
}

void ThreadBlock::exchangeAmong(uint32_t First, uint32_t Mask) {
  Lanes L = {Mask, {}};
  for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1) {
    auto Lane = static_cast<uint32_t>(std::countr_zero(Rest));
    L.Calls[Lane] = Threads[First + Lane].Call;
  }
  Exchanged Results[WarpThreads];
  exchangeLanes(L, Results);
  for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1) {
    auto Lane = static_cast<uint32_t>(std::countr_zero(Rest));
    Thread &X = Threads[First + Lane];
    X.Result = Results[Lane].Value;
    X.Absent =
        Results[Lane].Absent == NoLane ? NoFiber : First + Results[Lane].Absent;
    X.Is = State::Ready;
  }
  auto Lane = static_cast<uint32_t>(std::countr_zero(Mask));
  Listener.onEvent(ThreadEvent::Warp, First + Lane, 0, Mask,
                   Threads[First + Lane].At);
}

/// After all warps have run: true if nothing is left to do.
bool ThreadBlock::settle() {
  bool AnyReady = false, AllEnded = true;
  for (Thread &X : Threads) {
    if (X.Is == State::Passed)
      X.Is = State::Ready;
    AnyReady |= X.Is == State::Ready;
    AllEnded &= X.Is == State::Ended;
  }
  if (!AnyReady && !AllEnded)
    openBarrier();
  return AllEnded;
}

/// All threads wait for a barrier, or have ended.
void ThreadBlock::openBarrier() {
  uint32_t Waits = NoFiber, Ended = NoFiber, Elsewhere = NoFiber;
  for (uint32_t T = 0; T < Count; ++T) {
    if (Threads[T].Is == State::Ended)
      Ended = std::min(Ended, T);
    else if (Waits == NoFiber)
      Waits = T;
    else if (Threads[T].At.PC != Threads[Waits].At.PC)
      Elsewhere = std::min(Elsewhere, T);
  }
  Thread &First = Threads[Waits];
  if (Ended != NoFiber || Elsewhere != NoFiber) {
    First.Missing = Ended != NoFiber ? Ended : Elsewhere;
    First.Why =
        Ended != NoFiber ? ThreadEvent::Diverged : ThreadEvent::Elsewhere;
  }
  Listener.onEvent(ThreadEvent::Barrier, Waits, 0, 0, First.At);
  for (Thread &X : Threads)
    if (X.Is == State::AtBarrier)
      X.Is = State::Ready;
}

void ThreadBlock::barrier(const ThreadCaller &From) {
  Threads[Now].At = From;
  leave(State::AtBarrier);
  // On its own stack, so that its calls can be named.
  Thread &X = Threads[Now];
  if (X.Missing == NoFiber)
    return;
  uint32_t Missing = X.Missing;
  X.Missing = NoFiber;
  Listener.onEvent(X.Why, Now, Missing, 0, From);
}

uint64_t ThreadBlock::exchange(const WarpCall &Call, const ThreadCaller &From) {
  Threads[Now].At = From;
  Threads[Now].Call = Call;
  leave(State::AtExchange);
  Thread &X = Threads[Now];
  if (X.Absent != NoFiber)
    Listener.onEvent(ThreadEvent::Inactive, Now, X.Absent, 0, From);
  return X.Result;
}

void ThreadBlock::pass() { leave(State::Passed); }

} // namespace belay::sim
