//===- Buffers.cpp - InitBuffer, queues and their states ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Buffers.h"
#include "abi/Wording.h"

#include "model/core/Issue.h"

using namespace belay::sim;

namespace {

constexpr uint32_t Granule = 32;

[[noreturn]] void fail(const char *Id, const void *PC, const wording::Text &T) {
  belay::sim::fail(Id, PC, T.Hint.c_str(), "%s", T.Message.c_str());
}

/// Takes Num blocks of Bytes from [Used, Capacity) of a memory, or ends the
/// run.
BufferRecord *take(Core &C, Space S, uint32_t &Used, uint32_t Capacity,
                   uint32_t Num, uint32_t Bytes, const void *PC) {
  uint64_t Rounded = (uint64_t(Bytes) + Granule - 1) / Granule * Granule;
  if (Used + Rounded * Num > Capacity)
    fail("local-capacity", PC,
         wording::localCapacity(std::to_string(Num), std::to_string(Rounded), S,
                                std::to_string(Used),
                                std::to_string(Used + Rounded * Num),
                                Capacity));
  Core::BufferBlock &Block =
      C.BufferBlocks.emplace_back(std::make_unique<BufferRecord[]>(Num), Num);
  for (uint32_t N = 0; N < Num; ++N) {
    BufferRecord &B = Block.Records[N];
    B.Address = C.Memories.base(S) + Used;
    B.Bytes = static_cast<uint32_t>(Rounded);
    B.Where = S;
    B.InitializedAt = PC;
    Used += static_cast<uint32_t>(Rounded);
  }
  return Block.Records.get();
}

/// The same, from what is left of a whole memory.
BufferRecord *take(Core &C, Space S, uint32_t Num, uint32_t Bytes,
                   const void *PC) {
  return take(C, S, C.Used[static_cast<unsigned>(S)], C.Memories.bytes(S), Num,
              Bytes, PC);
}

/// The same, from a pool.
BufferRecord *take(PoolRange &P, uint32_t Num, uint32_t Bytes, const void *PC) {
  uint32_t Used = P.Begin + P.Used;
  BufferRecord *B =
      take(Core::current(), P.Where, Used, P.Begin + P.Bytes, Num, Bytes, PC);
  P.Used = Used - P.Begin;
  return B;
}

void adopt(QueueState *Q, BufferRecord *Buffers, Space S, uint32_t Num) {
  Q->Buffers = Buffers;
  Q->Num = Num;
  Q->Where = S;
  Q->Next = Q->Head = Q->Length = 0;
  for (uint32_t N = 0; N < Num; ++N) {
    Buffers[N].Owner = Q;
    Buffers[N].Producer = Q->Producer;
    Buffers[N].Consumer = Q->Consumer;
  }
}

/// Ends the life of a buffer: its tensors are recognised by their generation.
void retire(BufferRecord &B, const void *PC) {
  B.State = BufferState::Free;
  B.LastFreedAt = PC;
  ++B.Generation;
}

void checkCount(uint32_t Num, const void *PC) {
  if (Num == 0 || Num > MaxQueueBuffers)
    fail("buffer-count", PC, wording::bufferNumber(Num));
}

uint32_t indexIn(const QueueState *Q, const BufferRecord *B, const void *PC,
                 const char *What) {
  if (!B || B < Q->Buffers || B >= Q->Buffers + Q->Num)
    fail("wrong-queue", PC, wording::wrongQueue(What));
  return static_cast<uint32_t>(B - Q->Buffers);
}

void note(const char *Name, InstructionKind Kind, const QueueState *Q,
          BufferRecord *B, Pipe Producer, Pipe Consumer, const void *PC) {
  Issue I(Name, Pipe::S, PC, Kind);
  I.record().On = Producer;
  I.record().To = Consumer;
  I.record().Id = B ? static_cast<int32_t>(B - Q->Buffers) : -1;
  I.record().Object = B;
}

} // namespace

void belay_sim_pipe_reset() {
  Core &C = Core::current();
  for (uint32_t &Used : C.Used)
    Used = 0;
  // Tensors of the buffers given out so far are dead from here on.
  for (Core::BufferBlock &Block : C.BufferBlocks)
    for (uint32_t N = 0; N < Block.Num; ++N)
      retire(Block.Records[N], BELAY_PC);
}

void belay_sim_queue_init(QueueState *Q, Space S, uint32_t Num,
                          uint32_t Bytes) {
  checkCount(Num, BELAY_PC);
  adopt(Q, take(Core::current(), S, Num, Bytes, BELAY_PC), S, Num);
}

BufferRecord *belay_sim_queue_alloc(QueueState *Q) {
  const void *PC = BELAY_PC;
  if (!Q->Num)
    fail("queue-state", PC, wording::noBuffers());
  for (uint32_t Tries = 0; Tries < Q->Num; ++Tries) {
    BufferRecord *B = &Q->Buffers[Q->Next];
    Q->Next = (Q->Next + 1) % Q->Num;
    if (B->State != BufferState::Free)
      continue;
    B->State = BufferState::Occupied;
    ++B->Generation;
    B->AllocatedAt = PC;
    note("AllocTensor", InstructionKind::Alloc, Q, B, Q->Producer, Q->Consumer,
         PC);
    return B;
  }
  // The device would wait for a FreeTensor that this very core has yet to
  // issue, which is for ever.
  fail("queue-exhausted", PC,
       wording::queueExhausted(Q->Num, Q->Buffers[0].State));
}

void belay_sim_queue_enque(QueueState *Q, BufferRecord *B, uint32_t Generation,
                           Pipe Producer, Pipe Consumer) {
  const void *PC = BELAY_PC;
  uint32_t Index = indexIn(Q, B, PC, "EnQue");
  if (B->State == BufferState::Free || B->Generation != Generation)
    fail("use-after-free", PC, wording::enqueFreed());
  if (B->State != BufferState::Occupied && B->State != BufferState::DeQueued)
    fail("queue-state", PC, wording::enqueState(B->State));
  if (Q->Depth && Q->Length >= Q->Depth)
    fail("queue-state", PC, wording::enqueDepth(Q->Depth, Q->Length));
  Q->Ring[(Q->Head + Q->Length) % MaxQueueBuffers] =
      static_cast<uint8_t>(Index);
  ++Q->Length;
  B->State = BufferState::InQueue;
  note("EnQue", InstructionKind::EnQue, Q, B, Producer, Consumer, PC);
}

BufferRecord *belay_sim_queue_deque(QueueState *Q, Pipe Producer,
                                    Pipe Consumer) {
  const void *PC = BELAY_PC;
  if (!Q->Length)
    fail("queue-empty", PC, wording::queueEmpty());
  BufferRecord *B = &Q->Buffers[Q->Ring[Q->Head]];
  Q->Head = (Q->Head + 1) % MaxQueueBuffers;
  --Q->Length;
  B->State = BufferState::DeQueued;
  note("DeQue", InstructionKind::DeQue, Q, B, Producer, Consumer, PC);
  return B;
}

void belay_sim_queue_free(QueueState *Q, BufferRecord *B, uint32_t Generation) {
  const void *PC = BELAY_PC;
  indexIn(Q, B, PC, "FreeTensor");
  if (B->State == BufferState::Free || B->Generation != Generation) {
    const wording::Text T = wording::doubleFree();
    failAt("double-free", PC, B->LastFreedAt, "freed before", T.Hint.c_str(),
           "%s", T.Message.c_str());
  }
  B->State = BufferState::Free;
  B->LastFreedAt = PC;
  note("FreeTensor", InstructionKind::Free, Q, B, Q->Producer, Q->Consumer, PC);
}

BufferRecord *belay_sim_buffer_init(Space S, uint32_t Bytes) {
  BufferRecord *B = take(Core::current(), S, 1, Bytes, BELAY_PC);
  B->State = BufferState::Occupied;
  return B;
}

uint8_t *belay_sim_memory_rest(Space S, uint32_t *Bytes) {
  Core &C = Core::current();
  uint32_t Used = C.Used[static_cast<unsigned>(S)];
  *Bytes = C.Memories.bytes(S) - Used;
  return C.Memories.base(S) + Used;
}

void belay_sim_pool_init(PoolRange *P, Space S, uint32_t Bytes) {
  BufferRecord *B = take(Core::current(), S, 1, Bytes, BELAY_PC);
  P->Where = S;
  P->Begin =
      static_cast<uint32_t>(B->Address - Core::current().Memories.base(S));
  P->Bytes = B->Bytes;
  P->Used = 0;
}

void belay_sim_pool_split(PoolRange *From, PoolRange *To, uint32_t Bytes) {
  uint32_t Begin = From->Begin + From->Used;
  BufferRecord *B = take(*From, 1, Bytes, BELAY_PC);
  *To = {From->Where, Begin, B->Bytes, 0};
}

void belay_sim_pool_share(PoolRange *To, const PoolRange *From,
                          uint32_t Bytes) {
  if (Bytes > From->Bytes)
    belay::sim::fail("local-capacity", BELAY_PC,
                     "make the pool whose memory is shared the larger one",
                     "InitBufPool asks for %u bytes of a pool that has %u",
                     Bytes, From->Bytes);
  *To = *From;
  To->Used = 0;
}

void belay_sim_pool_queue(QueueState *Q, PoolRange *P, uint32_t Num,
                          uint32_t Bytes) {
  checkCount(Num, BELAY_PC);
  adopt(Q, take(*P, Num, Bytes, BELAY_PC), P->Where, Num);
}

BufferRecord *belay_sim_pool_buffer(PoolRange *P, uint32_t Bytes) {
  BufferRecord *B = take(*P, 1, Bytes, BELAY_PC);
  B->State = BufferState::Occupied;
  return B;
}
