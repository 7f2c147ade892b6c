//===- sync.h - Flags and barriers, inside a core and between cores -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_SYNC_H
#define BELAY_ASCENDC_API_SYNC_H

#include "abi/Vector.h"
#include "api/tensor.h"

namespace AscendC {

// --- between the pipes of a core ---------------------------------------------
template <HardEvent event> BELAY_API void SetFlag(int32_t eventID) {
  constexpr belay_detail::PipePair p = belay_detail::pipesOf(event);
  belay_sim_set_flag(p.from, p.to, eventID);
}
template <HardEvent event> BELAY_API void WaitFlag(int32_t eventID) {
  constexpr belay_detail::PipePair p = belay_detail::pipesOf(event);
  belay_sim_wait_flag(p.from, p.to, eventID);
}
template <pipe_t pipe> BELAY_API void PipeBarrier() {
  belay_sim_pipe_barrier(belay_detail::pipeOf(pipe));
}
template <pipe_t src, pipe_t dst> class TQueSync {
public:
  BELAY_API void SetFlag(TEventID id) {
    belay_sim_set_flag(belay_detail::pipeOf(src), belay_detail::pipeOf(dst),
                       id);
  }
  BELAY_API void WaitFlag(TEventID id) {
    belay_sim_wait_flag(belay_detail::pipeOf(src), belay_detail::pipeOf(dst),
                        id);
  }
};

enum class MemDsbT : uint8_t { ALL = 0, DDR, UB, SEQ };
template <MemDsbT arg0> BELAY_API void DataSyncBarrier() {
  belay_sim_data_barrier();
}

/// Locks between pipes (950).
using MutexID = uint8_t;
BELAY_API MutexID AllocMutexID() {
  return static_cast<MutexID>(belay_sim_alloc_mutex());
}
BELAY_API void ReleaseMutexID(MutexID id) { belay_sim_release_mutex(id); }
class Mutex {
public:
  template <pipe_t pipe> BELAY_API static void Lock(MutexID id) {
    belay_sim_mutex(true, belay_detail::pipeOf(pipe), id);
  }
  template <pipe_t pipe> BELAY_API static void Unlock(MutexID id) {
    belay_sim_mutex(false, belay_detail::pipeOf(pipe), id);
  }
};

// --- between cores -----------------------------------------------------------
struct SyncAllConfig {
  pipe_t triggerPipe;
  pipe_t waitPipe;
};
constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {PIPE_ALL, PIPE_ALL};
template <bool isAIVOnly = true,
          const SyncAllConfig &config = DEFAULT_SYNC_ALL_CONFIG>
BELAY_API void SyncAll() {
  belay_sim_sync_all(isAIVOnly);
}
/// The soft form: counters in global memory, 32 bytes per core, zero at first.
template <bool isAIVOnly = true>
BELAY_API void SyncAll(const GlobalTensor<int32_t> &gmWorkspace,
                       const LocalTensor<int32_t> &ubWorkspace,
                       const int32_t usedCores = 0) {
  belay_sim_soft_sync(gmWorkspace.GetPhyAddr(0), ubWorkspace.data(), usedCores);
}

template <uint8_t modeId, pipe_t pipe>
BELAY_API void CrossCoreSetFlag(uint16_t flagId) {
  belay_sim_cross_set(modeId, belay_detail::pipeOf(pipe), flagId);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
BELAY_API void CrossCoreWaitFlag(uint16_t flagId) {
  belay_sim_cross_wait(modeId, belay_detail::pipeOf(pipe), flagId);
}

// The same under older names; the mode is that of a cube core and its vector
// cores.
template <pipe_t pipe = PIPE_S> BELAY_API void NotifyEvent(uint16_t flagId) {
  belay_sim_cross_set(2, belay_detail::pipeOf(pipe), flagId);
}
template <pipe_t pipe = PIPE_S> BELAY_API void WaitEvent(uint16_t flagId) {
  belay_sim_cross_wait(2, belay_detail::pipeOf(pipe), flagId);
}

template <bool isAIVOnly = true>
BELAY_API void IBSet(const GlobalTensor<int32_t> &gmWorkspace,
                     const LocalTensor<int32_t> &ubWorkspace, int32_t blockIdx,
                     int32_t eventID) {
  belay_sim_ib_set(gmWorkspace.GetPhyAddr(0), ubWorkspace.data(), blockIdx,
                   eventID);
}
template <bool isAIVOnly = true>
BELAY_API void IBWait(const GlobalTensor<int32_t> &gmWorkspace,
                      const LocalTensor<int32_t> &ubWorkspace, int32_t blockIdx,
                      int32_t eventID) {
  belay_sim_ib_wait(gmWorkspace.GetPhyAddr(0), ubWorkspace.data(), blockIdx,
                    eventID);
}

/// Blocks that work in the order of their indices.
BELAY_API void
InitDetermineComputeWorkspace(const GlobalTensor<int32_t> &gmWorkspace,
                              const LocalTensor<int32_t> &ubWorkspace) {
  belay_sim_order_init(gmWorkspace.GetPhyAddr(0), ubWorkspace.data());
}
BELAY_API void WaitPreBlock(const GlobalTensor<int32_t> &gmWorkspace,
                            const LocalTensor<int32_t> &ubWorkspace) {
  belay_sim_order_wait(gmWorkspace.GetPhyAddr(0), ubWorkspace.data());
}
BELAY_API void NotifyNextBlock(const GlobalTensor<int32_t> &gmWorkspace,
                               const LocalTensor<int32_t> &ubWorkspace) {
  belay_sim_order_notify(gmWorkspace.GetPhyAddr(0), ubWorkspace.data());
}

/// Some vector cores wait for others. The workspace has 512 bytes for each core
/// of the larger group, zero at first.
enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };
template <PipeMode pipeMode> class GroupBarrier {
  static_assert(pipeMode == PipeMode::MTE3_MODE,
                "GroupBarrier sends its messages by MTE3 only");

public:
  BELAY_API GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn,
                         uint32_t waitSizeIn)
      : workspace_(groupWorkspace), arriving_(arriveSizeIn),
        waiting_(waitSizeIn) {
    if (belay_sim_is_vector())
      belay_sim_group_init(workspace_, arriving_, waiting_);
  }
  GroupBarrier() = delete;

  BELAY_API void Arrive(uint32_t arriveIndex) {
    if (!belay_sim_is_vector())
      return;
    belay_sim_group_arrive(workspace_, arriveIndex, arriving_, waiting_, time_);
    ++time_;
    arrived_ = true;
  }
  /// A core of both groups arrives first.
  BELAY_API void Wait(uint32_t waitIndex) {
    if (!belay_sim_is_vector())
      return;
    belay_sim_group_wait(workspace_, waitIndex, arriving_, waiting_,
                         arrived_ ? time_ - 1 : time_);
    time_ += arrived_ ? 0 : 1;
    arrived_ = false;
  }
  BELAY_API uint64_t GetWorkspaceLen() {
    return uint64_t(arriving_ > waiting_ ? arriving_ : waiting_) * 512;
  }

private:
  GM_ADDR workspace_;
  uint32_t arriving_, waiting_;
  uint32_t time_ = 1; // which time it is used
  bool arrived_ = false;
};

// --- between kernels ---------------------------------------------------------
// They let the next kernel start early. A launch has one kernel.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX,
          bool FORCE = false>
BELAY_API void SetNextTaskStart() {}
template <bool FORCE = false> BELAY_API void WaitPreTaskEnd() {}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_SYNC_H
