//===- Buffers.h - Queues and buffers of a core -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_BUFFERS_H
#define BELAY_ABI_BUFFERS_H

#include "abi/Instructions.h"

namespace belay::sim {

enum class BufferState : uint8_t { Free, Occupied, InQueue, DeQueued };

/// One block of local memory that InitBuffer handed out. Tensors point at it;
/// Generation tells a tensor from one that used the same block before.
struct BufferRecord {
  uint8_t *Address;
  uint32_t Bytes;
  Space Where;
  BufferState State;
  uint32_t Generation;
  QueueState *Owner;
  const void *InitializedAt; // InitBuffer, whose line names the buffer
  const void *AllocatedAt;
  const void *LastFreedAt;
  Pipe Producer, Consumer; // of the queue it belongs to
};

/// More buffers than any part has event ids for; InitBuffer checks.
inline constexpr uint32_t MaxQueueBuffers = 64;

/// Lives inside TQue and TQueBind. The buffers are consecutive records; EnQue
/// and DeQue move them through a first-in-first-out ring.
struct QueueState {
  BufferRecord *Buffers = nullptr;
  uint32_t Num = 0;
  uint32_t Next = 0; // where the search for a free buffer starts
  uint32_t Head = 0, Length = 0;
  uint32_t Depth = 0; // most tensors in the queue at once; 0 for no limit
  Space Where = Space::UB;
  Pipe Producer = Pipe::MTE2, Consumer = Pipe::V;
  uint8_t Ring[MaxQueueBuffers] = {};
};

/// A range of a memory that TBufPool hands out.
struct PoolRange {
  Space Where = Space::UB;
  uint32_t Begin = 0; // offset in the memory
  uint32_t Bytes = 0;
  uint32_t Used = 0;
};

} // namespace belay::sim

#endif // BELAY_ABI_BUFFERS_H
