//===- Core.cpp - One simulated AI Core -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/Core.h"

#include "model/core/Device.h"
#include "model/core/Failure.h"
#include "model/core/Observer.h"
#include "model/core/Schedule.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace belay::sim {

thread_local Core *Core::Current = nullptr;

static size_t pageAligned(size_t Bytes) {
  static const size_t Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (Bytes + Page - 1) / Page * Page;
}

void LocalMemories::setSizes(const Machine &M) {
  Bytes[static_cast<unsigned>(Space::UB)] = M.UbBytes;
  Bytes[static_cast<unsigned>(Space::L1)] = M.L1Bytes;
  Bytes[static_cast<unsigned>(Space::L0A)] = M.L0aBytes;
  Bytes[static_cast<unsigned>(Space::L0B)] = M.L0bBytes;
  Bytes[static_cast<unsigned>(Space::L0C)] = M.L0cBytes;
  Bytes[static_cast<unsigned>(Space::BT)] = M.BtBytes;
  Bytes[static_cast<unsigned>(Space::FB)] = M.FbBytes;
}

LocalMemories::LocalMemories(const Machine &M) {
  setSizes(M);
  void *Reservation = mmap(nullptr, NumSlots * SlotBytes, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Reservation == MAP_FAILED)
    std::abort();
  Base = static_cast<uint8_t *>(Reservation);
  for (size_t Slot = 1; Slot < NumSlots; ++Slot)
    if (Bytes[Slot] &&
        mprotect(Base + Slot * SlotBytes, pageAligned(Bytes[Slot]),
                 PROT_READ | PROT_WRITE) != 0)
      std::abort();
}

LocalMemories::LocalMemories(const Machine &M, uint8_t *Window, bool Used)
    : Base(Window), Owned(false) {
  setSizes(M);
  for (size_t Slot = 0; Slot < NumSlots; ++Slot) {
    uint8_t *Memory = Base + Slot * SlotBytes;
    size_t Real = pageAligned(Bytes[Slot]);
    if (mprotect(Memory + Real, SlotBytes - Real, PROT_NONE) != 0)
      std::abort();
    if (Used)
      std::memset(Memory, 0, Real);
  }
}

void LocalMemories::fill(CoreKind Kind, uint8_t Byte) {
  for (size_t Slot = 1; Slot < NumSlots; ++Slot) {
    bool IsUB = static_cast<Space>(Slot) == Space::UB;
    if (Bytes[Slot] &&
        (Kind == CoreKind::Coupled || IsUB == (Kind == CoreKind::Vector)))
      std::memset(Base + Slot * SlotBytes, Byte, Bytes[Slot]);
  }
}

LocalMemories::~LocalMemories() {
  if (Owned)
    munmap(Base, NumSlots * SlotBytes);
}

Core::Core(Device &D, CoreKind Kind, uint32_t Number, uint32_t Block,
           uint32_t SubBlock)
    : Owner(D), Facts(D.arch()), Kind(Kind), Number(Number), Block(Block),
      SubBlock(SubBlock), Group(Block), Memories(D.makeMemories(Number)),
      Watcher(D.makeObserver(*this)),
      Change(D.plan().Change.How == Mutation::Kind::None ? nullptr
                                                         : &D.plan().Change),
      Order(D.makeSchedule(*this)) {
  if (uint8_t Byte = D.plan().LocalFill)
    Memories.fill(Kind, Byte);
}

Core::~Core() = default;

const Machine &Core::machine() const { return Owner.machine(); }

} // namespace belay::sim
