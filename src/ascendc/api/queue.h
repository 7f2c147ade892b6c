//===- queue.h - TQue, TQueBind, TBuf ---------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_QUEUE_H
#define BELAY_ASCENDC_API_QUEUE_H

#include "abi/Buffers.h"
#include "api/tensor.h"

namespace AscendC {

class TPipe;
template <TPosition pos, uint32_t bufIDSize> class TBufPool;

struct TQueConfig {
  bool nd2nz = false;
  bool nz2nd = false;
  bool scmBlockGroup = false;
  uint32_t bufferLen = 0;
  uint32_t bufferNumber = 0;
  uint32_t consumerSize = 0;
  TPosition consumer[8] = {};
  bool enableStaticEvtId = false;
  bool enableLoopQueue = false;
};

namespace belay_detail {

/// The pipes that EnQue and DeQue order, from the memories a queue joins.
constexpr PipePair queuePipes(TPosition src, TPosition dst) {
  using belay::sim::Pipe;
  Hardware s = GetPhyType(src), d = GetPhyType(dst);
  if (s == Hardware::GM)
    return {Pipe::MTE2, d == Hardware::UB ? Pipe::V : Pipe::MTE1};
  if (s == Hardware::L1)
    return {Pipe::MTE1, Pipe::M};
  if (s == Hardware::L0C)
    return {Pipe::M, d == Hardware::GM ? Pipe::FIX : Pipe::V};
  if (s == Hardware::UB && d == Hardware::UB)
    return src == dst ? PipePair{Pipe::V, Pipe::V}
                      : PipePair{Pipe::MTE2, Pipe::MTE3};
  return {Pipe::V, Pipe::MTE3};
}

constexpr TPosition queueSource(TPosition pos) {
  switch (pos) {
  case TPosition::A2:
    return TPosition::A1;
  case TPosition::B2:
    return TPosition::B1;
  case TPosition::C2:
    return TPosition::C1;
  case TPosition::CO1:
  case TPosition::VECOUT:
  case TPosition::VECCALC:
    return pos;
  case TPosition::CO2:
    return TPosition::CO1;
  default:
    return TPosition::GM;
  }
}
constexpr TPosition queueTarget(TPosition pos) {
  return pos == TPosition::VECOUT || pos == TPosition::CO1 ? TPosition::GM
                                                           : pos;
}

/// Which of a queue's two ends names its memory.
constexpr TPosition queueMemory(TPosition src, TPosition dst) {
  return dst == TPosition::GM ||
                 (dst == TPosition::CO2 && src == TPosition::CO1)
             ? src
             : dst;
}

template <typename T>
BELAY_API LocalTensor<T> tensorOf(belay::sim::BufferRecord *b, TPosition pos) {
  TBuffAddr a;
  a.dataLen = b->Bytes;
  a.bufferAddr =
      static_cast<uint32_t>(b->Address - belay_sim_memory(spaceOf(pos)));
  a.bufferHandle = reinterpret_cast<TBufHandle>(b);
  a.logicPos = pos;
  a.absAddr = b->Address;
  a.generation = b->Generation;
  return LocalTensor<T>(a);
}

BELAY_API belay::sim::BufferRecord *recordOf(TBufHandle h) {
  return reinterpret_cast<belay::sim::BufferRecord *>(h);
}

} // namespace belay_detail

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
public:
  static constexpr TPosition srcPosition = src;
  static constexpr TPosition dstPosition = dst;
  static constexpr TPosition memoryPosition =
      belay_detail::queueMemory(src, dst);
  static constexpr belay_detail::PipePair pipes =
      belay_detail::queuePipes(src, dst);

  BELAY_API TQueBind() {
    state_.Producer = pipes.from;
    state_.Consumer = pipes.to;
    state_.Depth = depth;
  }

  template <typename T> BELAY_API LocalTensor<T> AllocTensor() {
    return belay_detail::tensorOf<T>(belay_sim_queue_alloc(&state_),
                                     memoryPosition);
  }
  template <typename T> BELAY_API void AllocTensor(LocalTensor<T> &tensor) {
    tensor = AllocTensor<T>();
  }
  template <typename T> BELAY_API void FreeTensor(LocalTensor<T> &tensor) {
    belay_sim_queue_free(&state_,
                         belay_detail::recordOf(tensor.GetBufferHandle()),
                         tensor.address_.generation);
  }
  BELAY_API void FreeBuffer(TBufHandle buf) {
    belay_sim_queue_free(&state_, belay_detail::recordOf(buf),
                         belay_detail::recordOf(buf)->Generation);
  }
  BELAY_API TBufHandle AllocBuffer() {
    return reinterpret_cast<TBufHandle>(belay_sim_queue_alloc(&state_));
  }
  template <typename T> BELAY_API bool EnQue(const LocalTensor<T> &tensor) {
    belay_sim_queue_enque(&state_,
                          belay_detail::recordOf(tensor.GetBufferHandle()),
                          tensor.address_.generation, pipes.from, pipes.to);
    return true;
  }
  BELAY_API bool EnQue(TBufHandle buf) {
    belay_sim_queue_enque(&state_, belay_detail::recordOf(buf),
                          belay_detail::recordOf(buf)->Generation, pipes.from,
                          pipes.to);
    return true;
  }
  template <TPosition srcUser, TPosition dstUser, typename T>
  BELAY_API bool EnQue(const LocalTensor<T> &tensor) {
    constexpr belay_detail::PipePair user =
        belay_detail::queuePipes(srcUser, dstUser);
    belay_sim_queue_enque(&state_,
                          belay_detail::recordOf(tensor.GetBufferHandle()),
                          tensor.address_.generation, user.from, user.to);
    return true;
  }
  template <typename T> BELAY_API LocalTensor<T> DeQue() {
    return belay_detail::tensorOf<T>(
        belay_sim_queue_deque(&state_, pipes.from, pipes.to), memoryPosition);
  }
  template <typename T> BELAY_API void DeQue(LocalTensor<T> &tensor) {
    tensor = DeQue<T>();
  }
  BELAY_API TBufHandle DeQue() {
    return reinterpret_cast<TBufHandle>(
        belay_sim_queue_deque(&state_, pipes.from, pipes.to));
  }
  template <TPosition srcUser, TPosition dstUser, typename T>
  BELAY_API LocalTensor<T> DeQue() {
    constexpr belay_detail::PipePair user =
        belay_detail::queuePipes(srcUser, dstUser);
    return belay_detail::tensorOf<T>(
        belay_sim_queue_deque(&state_, user.from, user.to), memoryPosition);
  }

  BELAY_API bool VacantInQue() { return state_.Length < state_.Depth; }
  BELAY_API bool HasTensorInQue() { return state_.Length != 0; }
  BELAY_API int32_t GetTensorCountInQue() {
    return static_cast<int32_t>(state_.Length);
  }
  BELAY_API bool HasIdleBuffer() {
    for (uint32_t i = 0; i < state_.Num; ++i)
      if (state_.Buffers[i].State == belay::sim::BufferState::Free)
        return true;
    return false;
  }
  BELAY_API void FreeAllEvent() {}
  template <typename T>
  BELAY_API TBufState GetState(const LocalTensor<T> &tensor) const {
    return static_cast<TBufState>(
        belay_detail::recordOf(tensor.GetBufferHandle())->State);
  }
  BELAY_API TBuffAddr GetBufferAddr(TBufHandle buf) {
    return belay_detail::tensorOf<uint8_t>(belay_detail::recordOf(buf),
                                           memoryPosition)
        .address_;
  }

  belay::sim::QueueState state_;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<belay_detail::queueSource(pos),
                             belay_detail::queueTarget(pos), depth, mask> {
public:
  TQue() = default;
};

template <TPosition pos = TPosition::LCM> class TBuf {
public:
  TBuf() = default;

  /// Without InitBuffer an empty tensor, which nothing may use.
  template <typename T> BELAY_API LocalTensor<T> Get() {
    if (belay_detail::isMistake(!buffer_))
      return LocalTensor<T>();
    return belay_detail::tensorOf<T>(buffer_, pos);
  }
  template <typename T> BELAY_API LocalTensor<T> Get(uint32_t len) {
    return GetWithOffset<T>(len, 0);
  }
  template <typename T>
  BELAY_API LocalTensor<T> GetWithOffset(uint32_t size, uint32_t byteOffset) {
    if (belay_detail::isMistake(!buffer_))
      return LocalTensor<T>();
    LocalTensor<T> t = belay_detail::tensorOf<T>(buffer_, pos);
    t.address_.absAddr += byteOffset;
    t.address_.bufferAddr += byteOffset;
    t.address_.dataLen = size * sizeof(T);
    if (__builtin_expect(belay_sim_observed, 0))
      belay_sim_note_slice(t.address_.absAddr, t.address_.dataLen, buffer_);
    return t;
  }
  template <typename T> BELAY_API LocalTensor<T> AllocTensor() {
    return Get<T>();
  }
  template <typename T> BELAY_API void FreeTensor(LocalTensor<T> &) {}
  template <typename T> BELAY_API void EnQue(const LocalTensor<T> &) {}
  template <typename T> BELAY_API LocalTensor<T> DeQue() { return Get<T>(); }
  BELAY_API uint32_t GetBufLen() const { return buffer_ ? buffer_->Bytes : 0; }

  belay::sim::BufferRecord *buffer_ = nullptr;
};

} // namespace AscendC

#endif // BELAY_ASCENDC_API_QUEUE_H
