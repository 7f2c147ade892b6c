//===- Device.cpp - The cores of one launch, and what they share ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Device.h"

#include "model/core/Core.h"
#include "model/core/CrossCore.h"
#include "model/core/Failure.h"
#include "model/core/FanOut.h"
#include "model/core/Schedule.h"
#include "model/core/Trace.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <pthread.h>
#include <thread>

namespace belay::sim {

static unsigned slotCount(const Plan &P) {
  return P.RunSlots ? P.RunSlots
                    : std::max(1u, std::thread::hardware_concurrency());
}

/// Whoever made the plan took the number from the same table.
static const targets::Arch &archOf(const Plan &P) {
  const targets::Arch *Found = targets::findArch(P.Target.Arch);
  if (!Found)
    std::abort();
  return *Found;
}

Device::Device(const Plan &P)
    : Ask(P), Facts(archOf(P)), Slots(slotCount(P)),
      Cross(std::make_unique<CrossCore>()) {}

Device::~Device() = default;

void Device::addGlobal(const GlobalBuffer &B) {
  Globals.insert(
      std::upper_bound(Globals.begin(), Globals.end(), B,
                       [](const GlobalBuffer &X, const GlobalBuffer &Y) {
                         return X.Address < Y.Address;
                       }),
      B);
}

const GlobalBuffer *Device::findGlobal(const void *Address) const {
  const auto *A = static_cast<const uint8_t *>(Address);
  auto It = std::upper_bound(
      Globals.begin(), Globals.end(), A,
      [](const uint8_t *X, const GlobalBuffer &B) { return X < B.Address; });
  if (It == Globals.begin())
    return nullptr;
  --It;
  // One past the end counts: the caller then says by how much it missed.
  return A <= It->Address + It->Bytes + It->Slack ? &*It : nullptr;
}

bool Device::isNearGlobal(const void *Address) const {
  constexpr uintptr_t Page = 4096;
  auto A = reinterpret_cast<uintptr_t>(Address);
  auto It =
      std::upper_bound(Globals.begin(), Globals.end(), A,
                       [](uintptr_t X, const GlobalBuffer &B) {
                         return X < reinterpret_cast<uintptr_t>(B.Address);
                       });
  if (It != Globals.end() &&
      reinterpret_cast<uintptr_t>(It->Address) - A <= Page)
    return true;
  if (It == Globals.begin())
    return false;
  --It;
  uintptr_t End =
      reinterpret_cast<uintptr_t>(It->Address) + It->Bytes + It->Slack;
  return A < (End + Page - 1) / Page * Page + Page;
}

/// How far an address is from the bytes of a buffer.
static uint64_t distance(const GlobalBuffer &B, const void *Address) {
  auto A = reinterpret_cast<uintptr_t>(Address);
  auto Begin = reinterpret_cast<uintptr_t>(B.Address);
  return A < Begin ? Begin - A : A - std::min(A, Begin + B.Bytes);
}

const GlobalBuffer *Device::nearestGlobal(const void *Address) const {
  auto It =
      std::min_element(Globals.begin(), Globals.end(),
                       [&](const GlobalBuffer &X, const GlobalBuffer &Y) {
                         return distance(X, Address) < distance(Y, Address);
                       });
  return It == Globals.end() ? nullptr : &*It;
}

void Device::observeWith(std::unique_ptr<LaunchObserver> Observer) {
  Watchers.push_back(std::move(Observer));
}

LocalMemories Device::makeMemories(uint32_t CoreNumber) const {
  if (!SharedLocal)
    return LocalMemories(machine());
  return {machine(), SharedLocal + CoreNumber * LocalMemories::WindowBytes,
          SharedLocalUsed};
}

std::unique_ptr<Observer> Device::makeObserver(Core &C) {
  if (Ask.RandomOrder) // the stream would not be what is carried out
    return nullptr;
  std::vector<std::unique_ptr<Observer>> Made;
  for (const auto &Each : Watchers)
    Made.push_back(Each->makeFor(C));
  if (Ask.TracePath[0])
    Made.push_back(makeTraceWriter(Ask.TracePath, C));
  if (Ask.Count)
    Made.push_back(makeCounter(Executed));
  if (Made.size() > 1)
    return std::make_unique<FanOut>(std::move(Made));
  return Made.empty() ? nullptr : std::move(Made.front());
}

std::unique_ptr<Schedule> Device::makeSchedule(Core &C) {
  if (!Ask.RandomOrder)
    return nullptr;
  return std::make_unique<Schedule>(C, Ask.OrderSeed, Ask.CompilerSync);
}

Core *Device::vectorCoreOf(const Core &C, uint32_t SubBlock) const {
  for (Core *X : Cores)
    if (X->Group == C.Group && X->Kind == CoreKind::Vector &&
        X->SubBlock == SubBlock)
      return X;
  return nullptr;
}

Core *Device::cubeCoreOf(const Core &C) const {
  for (Core *X : Cores)
    if (X->Group == C.Group && X->Kind == CoreKind::Cube)
      return X;
  return nullptr;
}

namespace {

/// The cores that one block of a task occupies.
struct Seat {
  CoreKind Kind;
  uint32_t SubBlock;
};

std::vector<Seat> seatsOf(TaskKind Task) {
  switch (Task) {
  case TaskKind::Cube:
    return {{CoreKind::Cube, 0}};
  case TaskKind::Coupled:
    return {{CoreKind::Coupled, 0}};
  case TaskKind::Mix1To1:
    return {{CoreKind::Cube, 0}, {CoreKind::Vector, 0}};
  case TaskKind::Mix1To2:
    return {{CoreKind::Cube, 0}, {CoreKind::Vector, 0}, {CoreKind::Vector, 1}};
  default:
    return {{CoreKind::Vector, 0}};
  }
}

uint32_t groupsOf(TaskKind Task, const Machine &M) {
  return Task == TaskKind::Vector ? M.VectorCores : M.CubeCores;
}

/// Blocks that run at once.
uint32_t numGroups(const Plan &P, TaskKind Task) {
  return std::max(1u, std::min(P.NumBlocks, groupsOf(Task, P.Target)));
}

/// A thread that plays one core for every block assigned to it.
struct Player {
  std::unique_ptr<Core> C;
  std::function<void()> Play;
  pthread_t Thread;

  /// std::thread would end the process as if the kernel had crashed.
  void start() {
    auto Run = [](void *Self) -> void * {
      static_cast<Player *>(Self)->Play();
      return nullptr;
    };
    if (int Error = pthread_create(&Thread, nullptr, Run, this))
      fail("belay-failed", nullptr, nullptr,
           "there is no thread for a core of the launch: %s",
           std::strerror(Error));
  }
};

} // namespace

std::vector<CoreKind> Device::coresOf(TaskKind Kind) const {
  std::vector<CoreKind> Result;
  for (uint32_t G = 0; G < numGroups(Ask, Kind); ++G)
    for (const Seat &S : seatsOf(Kind))
      Result.push_back(S.Kind);
  return Result;
}

void Device::run(const Entry &E, const Entry &ForCube, TaskKind Kind,
                 void *const *Args) {
  Task = Kind;
  uint32_t Groups = numGroups(Ask, Task);
  std::vector<Player> Players;
  for (uint32_t G = 0; G < Groups; ++G)
    for (const Seat &S : seatsOf(Task)) {
      Player &P = Players.emplace_back();
      P.C = std::make_unique<Core>(*this, S.Kind,
                                   static_cast<uint32_t>(Players.size() - 1), G,
                                   S.SubBlock);
      Cross->add(*P.C);
      Cores.push_back(P.C.get());
    }
  if (Ask.RandomOrder)
    Slots.chooseRandomly(Ask.OrderSeed);
  if (Ask.RandomOrder || Ask.RunSlots == 1)
    Slots.startTogether(static_cast<unsigned>(Players.size()));
  std::atomic<uint32_t> Done{0};
  for (Player &P : Players)
    P.Play = [this, &E, &ForCube, Args, Groups, &Done, C = P.C.get(),
              Number = static_cast<uint32_t>(&P - Players.data())] {
      enterCoreThread(*C);
      Slots.acquire(Number);
      for (uint32_t Block = C->Block; Block < Ask.NumBlocks; Block += Groups) {
        C->Block = Block;
        C->Regs = Registers();
        C->Regs.Vector.SaturateFloat = Ask.SaturateFloats;
        C->Regs.Vector.Overflowed = Ask.WatchOverflow ? &Overflowed : nullptr;
        (C->Kind == CoreKind::Cube ? ForCube : E).Invoke(Args);
        if (C->Order)
          C->Order->drain();
        C->Objects.clear();
        if (C->Watcher)
          C->Watcher->onEnd();
        report()->BlocksDone = ++Done;
      }
      Slots.release();
      Cross->finish(*C);
      leaveCoreThread(*C);
    };
  for (Player &P : Players)
    P.start();
  for (Player &P : Players)
    pthread_join(P.Thread, nullptr);
  for (Player &P : Players)
    Instructions += P.C->Instructions;
  for (const auto &Each : Watchers)
    Each->onEnd();
  Cores.clear();
}

} // namespace belay::sim
