//===- Sync.cpp - Flags, barriers, other cores ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/core/CrossCore.h"
#include "model/core/Device.h"
#include "model/core/Issue.h"
#include "model/instructions/Dtypes.h"

using namespace belay::sim;

static void checkEventId(Core &C, int32_t Id, const void *PC,
                         const char *What) {
  int32_t Ids = static_cast<int32_t>(C.machine().EventIds);
  if (Id < 0 || Id >= Ids)
    fail("event-id-range", PC,
         "take the id from pipe.FetchEventID or AllocEventID",
         "%s uses event id %d; this target has ids 0 to %d", What, Id, Ids - 1);
}

void belay_sim_set_flag(Pipe From, Pipe To, int32_t Id) {
  Issue I("SetFlag", From, BELAY_PC, InstructionKind::SetFlag);
  checkEventId(I.core(), Id, I.pc(), "SetFlag");
  I.record().To = To;
  I.record().Id = Id;
}

void belay_sim_wait_flag(Pipe From, Pipe To, int32_t Id) {
  Issue I("WaitFlag", From, BELAY_PC, InstructionKind::WaitFlag);
  checkEventId(I.core(), Id, I.pc(), "WaitFlag");
  I.record().To = To;
  I.record().Id = Id;
}

void belay_sim_pipe_barrier(Pipe P) {
  Issue I("PipeBarrier", P, BELAY_PC, InstructionKind::Barrier);
}

/// Cores can only wait for each other while all of them are on the chip.
static void checkAllResident(Core &C, const void *PC, const char *What) {
  Device &D = C.device();
  uint32_t Cores = D.task() == TaskKind::Vector ? D.machine().VectorCores
                                                : D.machine().CubeCores;
  if (D.plan().NumBlocks > Cores)
    fail("sync-needs-all-cores", PC,
         "launch at most as many blocks as the part has cores",
         "%s in a launch of %u blocks, but %s has %u cores of this kind: the "
         "blocks of the second wave never arrive",
         What, D.plan().NumBlocks, D.machine().Soc, Cores);
}

void belay_sim_sync_all(bool VectorOnly) {
  Issue I("SyncAll", Pipe::All, BELAY_PC, InstructionKind::SyncAll);
  requireFact(I, I.core().arch().crossCoreFlagIds != 0);
  checkAllResident(I.core(), I.pc(), "SyncAll");
  I.record().VectorOnly = VectorOnly;
  I.arrive();
  I.core().WaitingFor = "SyncAll";
  I.core().device().crossCore().syncAll(I.core(), VectorOnly, I.pc());
  I.core().WaitingFor = nullptr;
}

/// Without mode 4 a wait does not choose a mode: a flag is raised in the one
/// that it was set in.
static bool isPairMode(const Issue &I, uint8_t Mode) {
  return Mode == 4 && I.core().arch().hasCrossCoreMode(4);
}

static void checkFlagId(const Issue &I, uint8_t Mode, uint16_t Id) {
  unsigned Ids =
      isPairMode(I, Mode) ? CrossCore::NumPairFlags : CrossCore::NumFlags;
  if (Id >= Ids)
    fail("event-id-range", I.pc(), "use a flag id from 0 to 10",
         "%s uses flag id %u", I.name(), Id);
}

void belay_sim_cross_set(uint8_t Mode, Pipe P, uint16_t Id) {
  Issue I("CrossCoreSetFlag", P, BELAY_PC, InstructionKind::CrossSet);
  requireFact(I, I.core().arch().crossCoreFlagIds != 0);
  if (Mode > 2 && !isPairMode(I, Mode))
    fail("unsupported-api", I.pc(), "use mode 0, 1 or 2",
         "CrossCoreSetFlag has no mode %u on arch %u", Mode,
         I.core().machine().Arch);
  checkFlagId(I, Mode, Id);
  I.record().Mode = Mode;
  I.record().Id =
      Mode > 2 ? static_cast<int32_t>(CrossCore::pairFlag(I.core(), Id)) : Id;
  if (I.skipped())
    return;
  I.arrive(); // before a core that waits can go on
  if (I.later(belay_sim_cross_set, Mode, P, Id))
    return;
  I.record().Raised = static_cast<uint32_t>(
      I.core().device().crossCore().setFlag(I.core(), Mode, Id));
}

void belay_sim_cross_wait(uint8_t Mode, Pipe P, uint16_t Id) {
  Issue I("CrossCoreWaitFlag", P, BELAY_PC, InstructionKind::CrossWait);
  requireFact(I, I.core().arch().crossCoreFlagIds != 0);
  if (!isPairMode(I, Mode))
    Mode = 0;
  checkFlagId(I, Mode, Id);
  if (I.skipped())
    return;
  I.core().WaitingFor = "CrossCoreWaitFlag";
  Arrival A =
      I.core().device().crossCore().waitFlag(I.core(), Mode, Id, I.pc());
  I.core().WaitingFor = nullptr;
  I.record().Id =
      Mode > 2 ? static_cast<int32_t>(CrossCore::pairFlag(I.core(), Id)) : Id;
  I.record().Mode = A.Mode;
  I.record().Ordinal = A.Ordinal;
}

void belay_sim_data_barrier() {
  Issue I("DataSyncBarrier", Pipe::All, BELAY_PC, InstructionKind::Barrier);
  requireFact(I, I.core().arch().hasDataSyncBarrier);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// --- mutexes
// ------------------------------------------------------------------

static constexpr uint32_t NumMutexes = 32;

void belay_sim_mutex(bool Lock, Pipe P, uint32_t Id) {
  Issue I(Lock ? "Mutex::Lock" : "Mutex::Unlock", P, BELAY_PC,
          Lock ? InstructionKind::Lock : InstructionKind::Unlock);
  requireFact(I, I.core().arch().mutexIds != 0);
  if (Id >= NumMutexes)
    fail("event-id-range", I.pc(), "take the id from AllocMutexID",
         "%s uses mutex %u; there are ids 0 to %u", I.name(), Id,
         NumMutexes - 1);
  I.record().Id = static_cast<int32_t>(Id);
  uint32_t &Held = I.core().Regs.Vector.HeldMutexes[Id];
  uint32_t Mine = 1u << static_cast<unsigned>(P);
  if (Lock == ((Held & Mine) != 0))
    fail("event-id-range", I.pc(),
         "pair each Lock with one Unlock of the same pipe, in this order",
         "%s of mutex %u on %s, which %s", I.name(), Id, nameOf(P),
         Lock ? "holds it already" : "does not hold it");
  Held ^= Mine;
}

uint32_t belay_sim_alloc_mutex() {
  Issue I("AllocMutexID", Pipe::S, BELAY_PC, InstructionKind::ScalarAccess);
  requireFact(I, I.core().arch().mutexIds != 0);
  // The last four belong to the framework.
  uint32_t &Used = I.core().Regs.Vector.UsedMutexes;
  for (uint32_t Id = 0; Id < NumMutexes - 4; ++Id)
    if (!(Used >> Id & 1)) {
      Used |= 1u << Id;
      return Id;
    }
  fail("event-id-range", I.pc(), "release the ids that are no longer in use",
       "AllocMutexID: all %u mutexes are taken", NumMutexes - 4);
}

void belay_sim_release_mutex(uint32_t Id) {
  if (Id < NumMutexes)
    Core::current().Regs.Vector.UsedMutexes &= ~(1u << Id);
}
