//===- SoftSync.cpp - Barriers through global memory ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IBSet, IBWait, the soft SyncAll, the block order of deterministic kernels and
// GroupBarrier keep their state in a workspace: 32 bytes per core, so that no
// two cores share a block; GroupBarrier 512. The words are really there; only
// the polling is replaced by a wait, which knows when nobody can end it.
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/core/CrossCore.h"
#include "model/core/Device.h"
#include "model/core/Issue.h"
#include "model/instructions/Lanes.h"

#include <cstdio>

using namespace belay::sim;

namespace {

constexpr uint32_t WordsPerCore = BlockBytes / sizeof(int32_t);
/// Flag ids of the record, beyond those of the hardware's flags.
constexpr int32_t FirstSoftFlag = 1 << 16;
/// More than a workspace has words for; ids of the record have room for them.
constexpr int32_t MaxEvents = 1 << 20;

/// Vector cores of the launch.
uint32_t numCores(Core &C) {
  TaskKind Task = C.device().task();
  return C.device().plan().NumBlocks * (Task == TaskKind::Mix1To2 ? 2 : 1);
}

void checkWorkspaces(Issue &I, int32_t *Workspace, int32_t *Local,
                     uint64_t GlobalBytes, uint64_t LocalBytes) {
  if (reinterpret_cast<uintptr_t>(Workspace) % sizeof(int32_t))
    fail("misaligned-address", I.pc(), "align the workspace to 32 bytes",
         "%s keeps its words at %p, which is no place for one", I.name(),
         static_cast<void *>(Workspace));
  I.write(Local, {LocalBytes}, Elem::S32);
  I.write(Workspace, {GlobalBytes}, Elem::S32, 1);
  // What the words carry is synchronisation, not data.
  I.record().NumOperands = 0;
}

void barrier(const char *Name, const void *PC) {
  Issue I(Name, Pipe::All, PC, InstructionKind::Barrier);
}

void await(Issue &I, const char *What, std::function<bool()> Ready,
           bool Barrier = false) {
  I.core().WaitingFor = What;
  I.core().device().crossCore().waitUntil(I.core(), What, I.pc(),
                                          std::move(Ready), Barrier);
  I.core().WaitingFor = nullptr;
}

/// The word of core Block for an event.
int32_t *flagOf(Issue &I, int32_t *Workspace, int32_t Block, int32_t Event) {
  uint32_t Cores = numCores(I.core());
  if (Block < 0 || static_cast<uint32_t>(Block) >= Cores || Event < 0 ||
      Event >= MaxEvents)
    fail("event-id-range", I.pc(), "use the index of a core of this launch",
         "%s of block %d and event %d in a launch of %u cores", I.name(), Block,
         Event, Cores);
  return reinterpret_cast<int32_t *>(
      offsetBy(Workspace, (uint64_t(Cores) * static_cast<uint32_t>(Event) +
                           static_cast<uint32_t>(Block)) *
                              BlockBytes));
}

void setId(Issue &I, int32_t Block, int32_t Event) {
  I.record().Soft = true;
  I.record().Id = FirstSoftFlag + Event * 1024 + Block;
}

int32_t *wordOf(int32_t *Workspace, uint32_t Core) {
  return Workspace + size_t(Core) * WordsPerCore;
}

} // namespace

void belay_sim_ib_set(int32_t *Workspace, int32_t *Local, int32_t Block,
                      int32_t Event) {
  barrier("IBSet", BELAY_PC);
  Issue I("IBSet", Pipe::MTE3, BELAY_PC, InstructionKind::CrossSet);
  int32_t *Flag = flagOf(I, Workspace, Block, Event);
  checkWorkspaces(I, Flag, Local, BlockBytes, BlockBytes);
  setId(I, Block, Event);
  I.arrive(); // before a core that waits can go on
  __atomic_store_n(Flag, 1, __ATOMIC_RELEASE);
  I.core().device().crossCore().notify();
}

void belay_sim_ib_wait(int32_t *Workspace, int32_t *Local, int32_t Block,
                       int32_t Event) {
  const void *PC = BELAY_PC;
  {
    Issue I("IBWait", Pipe::S, PC, InstructionKind::CrossWait);
    int32_t *Flag = flagOf(I, Workspace, Block, Event);
    checkWorkspaces(I, Flag, Local, BlockBytes, BlockBytes);
    setId(I, Block, Event);
    await(I, "IBWait",
          [=] { return __atomic_load_n(Flag, __ATOMIC_ACQUIRE) == 1; });
    __atomic_store_n(Flag, 0, __ATOMIC_RELEASE);
  }
  barrier("IBWait", PC);
}

void belay_sim_soft_sync(int32_t *Workspace, int32_t *Local, int32_t Used) {
  Issue I("SyncAll", Pipe::All, BELAY_PC, InstructionKind::SyncAll);
  uint32_t All = numCores(I.core());
  uint32_t Cores = Used > 0 ? static_cast<uint32_t>(Used) : All;
  if (Cores > All)
    fail("sync-needs-all-cores", I.pc(), "wait for cores that were launched",
         "SyncAll of %u cores in a launch of %u", Cores, All);
  uint32_t Limit = I.core().device().machine().Split
                       ? I.core().device().machine().VectorCores
                       : I.core().device().machine().CubeCores;
  if (Cores > Limit)
    fail("sync-needs-all-cores", I.pc(),
         "launch at most as many blocks as the part has cores",
         "SyncAll of %u cores, but %s has %u: the blocks of the second wave "
         "never arrive",
         Cores, I.core().machine().Soc, Limit);
  // A core that is not among them has a word, too.
  uint64_t Self = belay_sim_block_idx();
  checkWorkspaces(I, Workspace, Local,
                  std::max<uint64_t>(Cores, Self + 1) * BlockBytes,
                  uint64_t(Cores) * BlockBytes);
  I.drain();
  I.record().VectorOnly = I.record().Soft = true;
  I.arrive();
  int32_t *Mine = wordOf(Workspace, belay_sim_block_idx());
  int32_t Ordinal = __atomic_add_fetch(Mine, 1, __ATOMIC_ACQ_REL);
  I.core().device().crossCore().notify();
  await(
      I, "SyncAll",
      [=] {
        for (uint32_t N = 0; N < Cores; ++N)
          if (__atomic_load_n(wordOf(Workspace, N), __ATOMIC_ACQUIRE) < Ordinal)
            return false;
        return true;
      },
      /*Barrier=*/true);
}

// Deterministic kernels: a token passes from block to block, iteration after
// iteration.

void belay_sim_order_init(int32_t *Workspace, int32_t *Local) {
  {
    Issue I("InitDetermineComputeWorkspace", Pipe::MTE3, BELAY_PC,
            InstructionKind::Barrier);
    uint32_t Cores = numCores(I.core());
    checkWorkspaces(I, Workspace, Local, uint64_t(Cores) * BlockBytes,
                    uint64_t(Cores) * BlockBytes + BlockBytes);
    if (belay_sim_block_idx() == 0)
      for (uint32_t N = 0; N < Cores; ++N)
        __atomic_store_n(wordOf(Workspace, N), N == 0, __ATOMIC_RELEASE);
  }
  // Nobody looks for the token before it is there.
  Issue I("InitDetermineComputeWorkspace", Pipe::All, BELAY_PC,
          InstructionKind::SyncAll);
  I.record().VectorOnly = I.record().Soft = true;
  I.arrive();
  I.core().device().crossCore().syncAll(I.core(), true, I.pc());
}

void belay_sim_order_wait(int32_t *Workspace, int32_t *Local) {
  const void *PC = BELAY_PC;
  {
    Issue I("WaitPreBlock", Pipe::S, PC, InstructionKind::CrossWait);
    uint32_t Cores = numCores(I.core());
    checkWorkspaces(I, Workspace, Local, uint64_t(Cores) * BlockBytes,
                    uint64_t(Cores) * BlockBytes + BlockBytes);
    auto Block = static_cast<int32_t>(belay_sim_block_idx());
    setId(I, Block, 1 << 10);
    int32_t *Mine = wordOf(Workspace, static_cast<uint32_t>(Block));
    await(I, "WaitPreBlock",
          [=] { return __atomic_load_n(Mine, __ATOMIC_ACQUIRE) == 1; });
  }
  barrier("WaitPreBlock", PC);
}

void belay_sim_order_notify(int32_t *Workspace, int32_t *Local) {
  barrier("NotifyNextBlock", BELAY_PC);
  Issue I("NotifyNextBlock", Pipe::MTE3, BELAY_PC, InstructionKind::CrossSet);
  uint32_t Cores = numCores(I.core());
  checkWorkspaces(I, Workspace, Local, uint64_t(Cores) * BlockBytes,
                  uint64_t(Cores) * BlockBytes + BlockBytes);
  uint32_t Block = belay_sim_block_idx(), Next = (Block + 1) % Cores;
  setId(I, static_cast<int32_t>(Next), 1 << 10);
  I.arrive();
  __atomic_store_n(wordOf(Workspace, Block), 0, __ATOMIC_RELEASE);
  __atomic_store_n(wordOf(Workspace, Next), 1, __ATOMIC_RELEASE);
  I.core().device().crossCore().notify();
}

// Groups: a core that arrives adds one for each that waits, and these add one
// for each that arrives, which may not arrive again before.

namespace {

constexpr uint32_t GroupBytes = 512;
/// Where in the bytes of a core those that have waited are counted.
constexpr uint32_t WaitedOffset = 64;
/// Ones to add, at the end of UB, from the constructor on.
constexpr uint32_t GroupOnes = 1600;

uint32_t *groupWord(uint8_t *Workspace, uint32_t Core, uint32_t Offset) {
  return reinterpret_cast<uint32_t *>(Workspace + size_t(Core) * GroupBytes +
                                      Offset);
}

/// Core Index of a group of Size; checked without an instruction of its own.
void checkGroup(const char *Name, const void *PC, const uint8_t *Workspace,
                uint32_t Arriving, uint32_t Waiting, uint32_t Index,
                uint32_t Size) {
  uint32_t Cores = numCores(Core::current());
  if (!Arriving || !Waiting || Arriving > Cores || Waiting > Cores)
    fail("event-id-range", PC,
         "let at least one core of the launch arrive, and one wait",
         "%s: %u cores arrive and %u wait in a launch of %u cores", Name,
         Arriving, Waiting, Cores);
  if (Index >= Size)
    fail("event-id-range", PC, "number the cores of a group from 0",
         "%s by core %u of a group of %u", Name, Index, Size);
  if (reinterpret_cast<uintptr_t>(Workspace) % GroupBytes)
    fail("misaligned-address", PC, "align the workspace to 512 bytes",
         "%s keeps its words at %p", Name,
         static_cast<const void *>(Workspace));
}

/// Ids of the record: one for each group and direction.
void setGroupId(Issue &I, const uint8_t *Workspace, bool Waited) {
  uintptr_t Group = reinterpret_cast<uintptr_t>(Workspace) / GroupBytes;
  I.record().Soft = true;
  I.record().Id = static_cast<int32_t>(
      (1u << 30) | ((Group * 2 + Waited) & ((1u << 30) - 1)));
}

/// Adds one to the words of so many cores, in MTE3 and after what the scalar
/// unit has done.
void addToGroup(const char *Name, const void *PC, uint8_t *Workspace,
                uint32_t Arriving, uint32_t Waiting, bool Waited) {
  Issue I(Name, Pipe::MTE3, PC, InstructionKind::CrossSet);
  setGroupId(I, Workspace, Waited);
  if (I.skipped())
    return;
  I.arrive(); // before a core that waits can go on
  if (I.later(addToGroup, Name, PC, Workspace, Arriving, Waiting, Waited))
    return;
  for (uint32_t N = 0, E = Waited ? Arriving : Waiting; N < E; ++N)
    __atomic_add_fetch(groupWord(Workspace, N, Waited ? WaitedOffset : 0), 1,
                       __ATOMIC_ACQ_REL);
  I.core().device().crossCore().notify();
}

/// Waits until the word of a core has come to Count.
void awaitGroup(const char *Name, const void *PC, uint8_t *Workspace,
                uint32_t Index, uint64_t Count, bool Waited) {
  Issue I(Name, Pipe::S, PC, InstructionKind::CrossWait);
  setGroupId(I, Workspace, Waited);
  if (I.skipped())
    return;
  uint32_t *Word = groupWord(Workspace, Index, Waited ? WaitedOffset : 0);
  await(I, Name,
        [=] { return __atomic_load_n(Word, __ATOMIC_ACQUIRE) >= Count; });
}

} // namespace

void belay_sim_group_init(uint8_t *Workspace, uint32_t Arriving,
                          uint32_t Waiting) {
  checkGroup("GroupBarrier", BELAY_PC, Workspace, Arriving, Waiting, 0, 1);
  Issue I("GroupBarrier", Pipe::S, BELAY_PC, InstructionKind::ScalarAccess);
  I.write(Workspace, {uint64_t(std::max(Arriving, Waiting)) * GroupBytes},
          Elem::S32, 1);
  I.record().NumOperands = 0; // what the words carry is no data
  const LocalMemories &Local = I.core().Memories;
  uint8_t *Ones = Local.base(Space::UB) + Local.bytes(Space::UB) - GroupOnes;
  I.write(Ones, {GroupOnes}, Elem::S32);
  for (uint32_t N = 0; N < GroupOnes; N += BlockBytes)
    *reinterpret_cast<uint32_t *>(Ones + N) = 1;
}

void belay_sim_group_arrive(uint8_t *Workspace, uint32_t Index,
                            uint32_t Arriving, uint32_t Waiting,
                            uint32_t Time) {
  const void *PC = BELAY_PC;
  const char *Name = "GroupBarrier::Arrive";
  checkGroup(Name, PC, Workspace, Arriving, Waiting, Index, Arriving);
  if (Time > 1)
    awaitGroup(Name, PC, Workspace, Index, uint64_t(Time - 1) * Waiting,
               /*Waited=*/true);
  addToGroup(Name, PC, Workspace, Arriving, Waiting, /*Waited=*/false);
}

void belay_sim_group_wait(uint8_t *Workspace, uint32_t Index, uint32_t Arriving,
                          uint32_t Waiting, uint32_t Time) {
  const void *PC = BELAY_PC;
  const char *Name = "GroupBarrier::Wait";
  checkGroup(Name, PC, Workspace, Arriving, Waiting, Index, Waiting);
  awaitGroup(Name, PC, Workspace, Index, uint64_t(Time) * Arriving,
             /*Waited=*/false);
  addToGroup(Name, PC, Workspace, Arriving, Waiting, /*Waited=*/true);
}
