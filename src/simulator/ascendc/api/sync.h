//===- sync.h - Flags and barriers, inside a core and between cores -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_SYNC_H
#define BELAY_ASCENDC_API_SYNC_H

#include "api/tensor.h"

namespace AscendC {

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

template <bool isAIVOnly = true> BELAY_API void SyncAll() {
  belay_sim_sync_all(isAIVOnly);
}
/// The soft form, through counters in global memory, has the same meaning.
template <bool isAIVOnly = true>
BELAY_API void SyncAll(const GlobalTensor<int32_t> &,
                       const LocalTensor<int32_t> &, const int32_t = 0) {
  belay_sim_sync_all(isAIVOnly);
}

template <uint8_t modeId, pipe_t pipe>
BELAY_API void CrossCoreSetFlag(uint16_t flagId) {
  belay_sim_cross_set(modeId, belay_detail::pipeOf(pipe), flagId);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
BELAY_API void CrossCoreWaitFlag(uint16_t flagId) {
  belay_sim_cross_wait(modeId, belay_detail::pipeOf(pipe), flagId);
}

} // namespace AscendC

#endif // BELAY_ASCENDC_API_SYNC_H
