//===- CrossCore.cpp - Flags and barriers between cores -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/CrossCore.h"

#include "model/core/Core.h"
#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "model/core/Observer.h"
#include "model/core/Schedule.h"

#include <algorithm>
#include <cstdio>

namespace belay::sim {

void CrossCore::add(Core &C) {
  std::lock_guard<std::mutex> Lock(M);
  Members.emplace_back().C = &C;
}

CrossCore::Member &CrossCore::member(const Core &C) {
  return *std::find_if(Members.begin(), Members.end(),
                       [&](const Member &X) { return X.C == &C; });
}

void CrossCore::finish(Core &C) {
  std::lock_guard<std::mutex> Lock(M);
  Member &Me = member(C);
  Me.Finished = true;
  reportIfStuck(Me);
  Changed.notify_all();
}

/// A launch is stuck when every core has ended or waits for something that no
/// running core is left to bring.
void CrossCore::reportIfStuck(const Member &Me) {
  const Member *Waiting = nullptr;
  bool AnyFinished = false, AllAtBarrier = true;
  for (const Member &X : Members) {
    if (X.Finished) {
      AnyFinished = true;
      continue;
    }
    if (!X.Ready || X.Busy || X.Ready())
      return;
    Waiting = &X;
    AllAtBarrier &= X.AtBarrier;
  }
  if (!Waiting)
    return;
  Report *R = report();
  R->NumWaiting = 0;
  for (const Member &X : Members) {
    if (!X.Ready || X.Finished || R->NumWaiting == MaxWaiting)
      continue;
    describePlace(R->Waiting[R->NumWaiting], X.C, X.PC, nullptr);
    std::snprintf(R->WaitingFor[R->NumWaiting], sizeof(R->WaitingFor[0]), "%s",
                  X.What);
    ++R->NumWaiting;
  }
  Core::setCurrent(Waiting->C);
  if (AnyFinished && AllAtBarrier)
    fail("sync-needs-all-cores", Waiting->PC,
         "let every core reach SyncAll, also those without work",
         "SyncAll is not reached by all cores (%u waiting, the others have "
         "ended)",
         R->NumWaiting);
  fail("cross-core-deadlock", Waiting->PC,
       AnyFinished ? "let every core reach the same waits: no return before "
                     "SyncAll, no wait without its set"
                   : "set each flag before anyone waits for it, on both sides",
       "no core can go on: each one left waits for another (%u waiting%s)",
       R->NumWaiting, AnyFinished ? ", the others have ended" : "");
}

void CrossCore::wait(std::unique_lock<std::mutex> &Lock, Member &Me,
                     std::function<bool()> Ready, const void *PC) {
  if (Ready())
    return;
  Me.Ready = Ready;
  Me.PC = PC;
  RunSlots &Slots = Me.C->device().slots();
  if (Slots.isRandom()) {
    Me.Busy = true;
    while (!Ready()) {
      if (!Me.Busy)
        reportIfStuck(Me);
      Lock.unlock();
      Me.Busy = Me.C->Order->linger();
      Slots.yield();
      Lock.lock();
    }
    Me.Ready = nullptr;
    return;
  }
  reportIfStuck(Me);
  Slots.release();
  Changed.wait(Lock, Ready);
  Me.Ready = nullptr;
  Lock.unlock();
  Slots.acquire();
  Lock.lock();
}

void CrossCore::syncAll(Core &C, bool VectorOnly, const void *PC) {
  if (C.Order)
    C.Order->drain();
  std::unique_lock<std::mutex> Lock(M);
  Member &Me = member(C);
  uint64_t Ordinal = ++Me.Synced[VectorOnly];
  std::snprintf(Me.What, sizeof(Me.What), "SyncAll, round %llu",
                static_cast<unsigned long long>(Ordinal));
  Changed.notify_all();
  Me.AtBarrier = true;
  wait(
      Lock, Me,
      [this, VectorOnly, Ordinal] {
        return std::all_of(
            Members.begin(), Members.end(), [&](const Member &X) {
              return (VectorOnly && X.C->Kind == CoreKind::Cube) ||
                     X.Synced[VectorOnly] >= Ordinal;
            });
      },
      PC);
  Me.AtBarrier = false;
  takeDelivered(Me);
}

size_t CrossCore::raiseFromSlowest(unsigned Mode, unsigned Id,
                                   const std::function<bool(Member &)> &From,
                                   const std::function<bool(Member &)> &To) {
  uint64_t Slowest = ~uint64_t(0);
  for (Member &X : Members)
    if (From(X))
      Slowest = std::min(Slowest, X.Sets[Mode][Id]);
  size_t Most = 0;
  for (Member &X : Members) {
    if (!To(X))
      continue;
    for (uint64_t &Raised = X.Raised[Mode][Id]; Raised < Slowest; ++Raised)
      X.Pending[Id].push_back({static_cast<uint8_t>(Mode), Raised});
    Most = std::max(Most, X.Pending[Id].size());
  }
  return Most;
}

unsigned CrossCore::pairFlag(const Core &C, unsigned Id) {
  return C.Kind == CoreKind::Cube ? Id : Id % 16 + 16 * C.SubBlock;
}

/// Between the cube core and one vector core of a block.
size_t CrossCore::raisePair(Core &C, unsigned Id) {
  unsigned Flag = pairFlag(C, Id), Vector = Flag / 16;
  for (Member &X : Members) {
    bool Cube = X.C->Kind == CoreKind::Cube;
    if (X.C->Group != C.Group || X.C->Kind == C.Kind ||
        (!Cube && X.C->SubBlock != Vector))
      continue;
    std::deque<Arrival> &Pending = X.Pending[NumFlags + Flag];
    Pending.push_back({4, X.RaisedPair[Flag]++});
    return Pending.size();
  }
  return 0;
}

size_t CrossCore::setFlag(Core &C, unsigned Mode, unsigned Id) {
  std::lock_guard<std::mutex> Lock(M);
  auto SameBlock = [&](Member &X) { return X.C->Group == C.Group; };
  auto IsCube = [](Member &X) { return X.C->Kind == CoreKind::Cube; };
  bool Cube = C.Kind == CoreKind::Cube;
  Changed.notify_all();
  if (Mode > 2)
    return raisePair(C, Id);
  ++member(C).Sets[Mode][Id];
  switch (Mode) {
  case 0: { // all cores of my kind
    auto Mine = [&](Member &X) { return IsCube(X) == Cube; };
    return raiseFromSlowest(Mode, Id, Mine, Mine);
  }
  case 1: { // the vector cores of my block
    auto Mine = [&](Member &X) { return SameBlock(X) && !IsCube(X); };
    return raiseFromSlowest(Mode, Id, Mine, Mine);
  }
  default: { // from one side of my block to the other
    auto From = [&](Member &X) { return SameBlock(X) && IsCube(X) == Cube; };
    auto To = [&](Member &X) { return SameBlock(X) && IsCube(X) != Cube; };
    return raiseFromSlowest(Mode, Id, From, To);
  }
  }
}

Arrival CrossCore::waitFlag(Core &C, unsigned Mode, unsigned Id,
                            const void *PC) {
  std::unique_lock<std::mutex> Lock(M);
  Member &Me = member(C);
  std::snprintf(Me.What, sizeof(Me.What), "CrossCoreWaitFlag, flag %u", Id);
  std::deque<Arrival> &Pending =
      Me.Pending[Mode > 2 ? NumFlags + pairFlag(C, Id) : Id];
  wait(Lock, Me, [&Pending] { return !Pending.empty(); }, PC);
  Arrival First = Pending.front();
  Pending.pop_front();
  takeDelivered(Me);
  return First;
}

void CrossCore::deliver(Core &To, const Extent &E, const uint8_t *Address) {
  if (!To.Watcher)
    return;
  std::lock_guard<std::mutex> Lock(M);
  auto &Delivered = member(To).Delivered;
  for (uint64_t R = 0; R < E.Repeats; ++R)
    for (uint64_t B = 0; B < E.Blocks; ++B) {
      const uint8_t *At = Address + static_cast<int64_t>(R) * E.RepeatStride +
                          static_cast<int64_t>(B) * E.BlockStride;
      if (!Delivered.empty() &&
          Delivered.back().first + Delivered.back().second == At)
        Delivered.back().second += E.BlockBytes;
      else
        Delivered.emplace_back(At, E.BlockBytes);
    }
}

void CrossCore::takeDelivered(Member &Me) {
  for (auto [Address, Bytes] : Me.Delivered)
    Me.C->Watcher->onDelivery(Address, Bytes);
  Me.Delivered.clear();
}

bool CrossCore::feeds(const Core &From, const Core &To, unsigned Mode) {
  bool SameKind = From.Kind == To.Kind;
  if (Mode == 0)
    return SameKind;
  if (From.Group != To.Group) // Block has moved on if the core has ended
    return false;
  return Mode == 1 ? SameKind && To.Kind != CoreKind::Cube : !SameKind;
}

void CrossCore::waitUntil(Core &C, const char *What, const void *PC,
                          std::function<bool()> Ready, bool Barrier) {
  std::unique_lock<std::mutex> Lock(M);
  Member &Me = member(C);
  std::snprintf(Me.What, sizeof(Me.What), "%s", What);
  Me.AtBarrier = Barrier;
  wait(Lock, Me, std::move(Ready), PC);
  Me.AtBarrier = false;
}

void CrossCore::notify() {
  std::lock_guard<std::mutex> Lock(M);
  Changed.notify_all();
}

} // namespace belay::sim
