//===- pipe.h - TPipe, TBufPool, event ids ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_PIPE_H
#define BELAY_ASCENDC_API_PIPE_H

#include "api/queue.h"

namespace AscendC {

constexpr TEventID INVALID_TEVENTID = -1;

namespace belay_detail {
inline thread_local TPipe *currentPipe = nullptr;
} // namespace belay_detail

/// A part of a memory that can be handed out again after Reset.
template <TPosition pos, uint32_t bufIDSize = 4> class TBufPool {
public:
  static constexpr TPosition poolPos = pos;

  template <class Q>
  BELAY_API bool InitBuffer(Q &que, uint8_t num, uint32_t len) {
    belay_sim_pool_queue(&que.state_, &range_, num, len);
    return true;
  }
  template <TPosition bufPos>
  BELAY_API bool InitBuffer(TBuf<bufPos> &buf, uint32_t len) {
    buf.buffer_ = belay_sim_pool_buffer(&range_, len);
    return true;
  }
  template <class P> BELAY_API bool InitBufPool(P &pool, uint32_t len) {
    belay_sim_pool_split(&range_, &pool.range_, len);
    return true;
  }
  /// Shares the memory of another pool.
  template <class P, class U>
  BELAY_API bool InitBufPool(P &pool, uint32_t len, U &shareBuf) {
    belay_sim_pool_share(&pool.range_, &shareBuf.range_, len);
    return true;
  }
  BELAY_API void Reset() { range_.Used = 0; }

  belay::sim::PoolRange range_;
};

/// Manages the local memories and the event ids of one core.
class TPipe {
public:
  BELAY_API TPipe() { Init(); }
  TPipe(const TPipe &) = delete;
  TPipe &operator=(const TPipe &) = delete;
  BELAY_API ~TPipe() {
    if (belay_detail::currentPipe == this)
      belay_detail::currentPipe = nullptr;
  }

  BELAY_API void Init() {
    belay_detail::currentPipe = this;
    belay_sim_pipe_reset();
    for (auto &ids : events_)
      ids = 0;
  }
  BELAY_API void Reset() { Init(); }
  BELAY_API void Destroy() {}

  template <class Q>
  BELAY_API bool InitBuffer(Q &que, uint8_t num, uint32_t len) {
    belay_sim_queue_init(&que.state_, belay_detail::spaceOf(Q::memoryPosition),
                         num, len);
    return true;
  }
  template <TPosition pos>
  BELAY_API bool InitBuffer(TBuf<pos> &buf, uint32_t len) {
    buf.buffer_ = belay_sim_buffer_init(belay_detail::spaceOf(pos), len);
    return true;
  }
  template <class P> BELAY_API bool InitBufPool(P &pool, uint32_t len) {
    belay_sim_pool_init(&pool.range_, belay_detail::spaceOf(P::poolPos), len);
    return true;
  }
  template <class P, class U>
  BELAY_API bool InitBufPool(P &pool, uint32_t len, U &shareBuf) {
    belay_sim_pool_share(&pool.range_, &shareBuf.range_, len);
    return true;
  }

  template <HardEvent evt> BELAY_API TEventID AllocEventID() {
    return alloc(evt, true);
  }
  template <HardEvent evt> BELAY_API void ReleaseEventID(TEventID id) {
    events_[static_cast<int>(evt)] &= static_cast<uint8_t>(~(1u << id));
  }
  template <HardEvent evt> BELAY_API TEventID FetchEventID() {
    return alloc(evt, false);
  }
  BELAY_API TEventID FetchEventID(HardEvent evt) { return alloc(evt, false); }
  BELAY_API TEventID AllocEventID(HardEvent evt) { return alloc(evt, true); }
  BELAY_API void ReleaseEventID(HardEvent evt, TEventID id) {
    events_[static_cast<int>(evt)] &= static_cast<uint8_t>(~(1u << id));
  }

  template <TPosition pos>
  BELAY_API TBuffAddr GetAbsAddr(int32_t offset, int32_t size) const {
    LocalTensor<uint8_t> t(pos, static_cast<uint32_t>(offset),
                           static_cast<uint32_t>(size));
    return t.address_;
  }
  template <TPosition pos, typename T>
  BELAY_API LocalTensor<T> GetAbsAddr(int32_t offset, int32_t size) const {
    return LocalTensor<T>(pos, static_cast<uint32_t>(offset),
                          static_cast<uint32_t>(size));
  }
  BELAY_API uint64_t GetBaseAddr(int8_t logicPos) {
    return reinterpret_cast<uint64_t>(belay_sim_memory(
        belay_detail::spaceOf(static_cast<TPosition>(logicPos))));
  }

private:
  BELAY_API TEventID alloc(HardEvent evt, bool keep) {
    uint8_t &used = events_[static_cast<int>(evt)];
    for (TEventID id = 0; id < 8; ++id) {
      if (used >> id & 1)
        continue;
      if (keep)
        used |= static_cast<uint8_t>(1u << id);
      return id;
    }
    belay_sim_fail("event-id-range",
                   "all 8 event ids of this pair of pipes are taken",
                   "release ids that are no longer in use");
  }

  uint8_t events_[static_cast<int>(HardEvent::MAX)] = {};
};

BELAY_API TPipe *GetTPipePtr() { return belay_detail::currentPipe; }

/// The rest of a memory, as scratch for a library routine.
template <typename T, TPosition pos>
BELAY_API bool PopStackBuffer(LocalTensor<T> &tensor) {
  uint32_t bytes = 0;
  TBuffAddr a;
  a.absAddr = belay_sim_memory_rest(belay_detail::spaceOf(pos), &bytes);
  a.bufferAddr = static_cast<uint32_t>(
      a.absAddr - belay_sim_memory(belay_detail::spaceOf(pos)));
  a.dataLen = bytes;
  a.logicPos = pos;
  tensor = LocalTensor<T>(a);
  return true;
}

} // namespace AscendC

// Kernels call it without its namespace, too.
using AscendC::GetTPipePtr;

#endif // BELAY_ASCENDC_API_PIPE_H
