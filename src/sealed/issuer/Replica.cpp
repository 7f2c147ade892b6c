//===- Replica.cpp - Queues and buffers as the kernel sees them -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in src/model/instructions/Buffers.cpp, which also says what is wrong with
// a call. Here a wrong call waits for the model to end the run.
//
//===----------------------------------------------------------------------===//

#include "sealed/issuer/Replica.h"

#include "sealed/issuer/Issuer.h"

#include <sys/mman.h>
#include <unistd.h>

namespace belay::sim::sealed {

namespace {

constexpr uint32_t Granule = 32;

BufferRecord *Records;
uint32_t NumRecords;
uint32_t Used[static_cast<size_t>(Space::Host)];

uint32_t memoryBytes(Space S) {
  const Machine &M = TheIssuer.Plan->Target;
  switch (S) {
  case Space::UB:
    return M.UbBytes;
  case Space::L1:
    return M.L1Bytes;
  case Space::L0A:
    return M.L0aBytes;
  case Space::L0B:
    return M.L0bBytes;
  case Space::L0C:
    return M.L0cBytes;
  case Space::BT:
    return M.BtBytes;
  case Space::FB:
    return M.FbBytes;
  default:
    return 0;
  }
}

/// The model ends the run because of the call that was just sent.
[[noreturn]] void awaitTheEnd() {
  drain();
  for (;;)
    pause();
}

BufferRecord *take(Space S, uint32_t &From, uint32_t Capacity, uint32_t Num,
                   uint32_t Bytes) {
  uint64_t Rounded = (uint64_t(Bytes) + Granule - 1) / Granule * Granule;
  if (Num == 0 || Num > MaxQueueBuffers || From + Rounded * Num > Capacity ||
      Num > MaxRecords - NumRecords)
    awaitTheEnd();
  BufferRecord *First = Records + NumRecords;
  NumRecords += Num;
  for (uint32_t N = 0; N < Num; ++N) {
    First[N] = {};
    First[N].Address = localMemory(S) + From;
    First[N].Bytes = static_cast<uint32_t>(Rounded);
    First[N].Where = S;
    From += static_cast<uint32_t>(Rounded);
  }
  return First;
}

BufferRecord *take(Space S, uint32_t Num, uint32_t Bytes) {
  return take(S, Used[static_cast<unsigned>(S)], memoryBytes(S), Num, Bytes);
}

BufferRecord *take(PoolRange &P, uint32_t Num, uint32_t Bytes) {
  uint32_t From = P.Begin + P.Used;
  BufferRecord *B = take(P.Where, From, P.Begin + P.Bytes, Num, Bytes);
  P.Used = From - P.Begin;
  return B;
}

void adopt(QueueState *Q, BufferRecord *Buffers, Space S, uint32_t Num) {
  Q->Buffers = Buffers;
  Q->Num = Num;
  Q->Where = S;
  Q->Next = Q->Head = Q->Length = 0;
}

bool owns(const QueueState *Q, const BufferRecord *B) {
  return B && B >= Q->Buffers && B < Q->Buffers + Q->Num;
}

} // namespace

uint64_t ordinalOf(const void *Record) {
  if (!Record)
    return 0;
  uint64_t Offset = reinterpret_cast<uintptr_t>(Record) -
                    reinterpret_cast<uintptr_t>(Records);
  uint64_t Ordinal = Offset / sizeof(BufferRecord);
  return Offset % sizeof(BufferRecord) == 0 && Ordinal < NumRecords
             ? Ordinal + 1
             : NoRecord;
}

void resetReplica() {
  if (!Records) {
    Records = static_cast<BufferRecord *>(
        takeReserved(sizeof(BufferRecord) * MaxRecords));
  }
  NumRecords = 0;
  std::fill(std::begin(Used), std::end(Used), 0);
}

} // namespace belay::sim::sealed

using namespace belay::sim;
using namespace belay::sim::sealed;

#define BELAY_FRAME __builtin_frame_address(0)

void belay_sim_pipe_reset() {
  issue<Function::pipe_reset>(BELAY_FRAME);
  std::fill(std::begin(Used), std::end(Used), 0);
  for (uint32_t N = 0; N < NumRecords; ++N) {
    Records[N].State = BufferState::Free;
    ++Records[N].Generation;
  }
}

void belay_sim_queue_init(QueueState *Q, Space S, uint32_t Num,
                          uint32_t Bytes) {
  issue<Function::queue_init>(BELAY_FRAME, Q, S, Num, Bytes);
  adopt(Q, take(S, Num, Bytes), S, Num);
}

BufferRecord *belay_sim_queue_alloc(QueueState *Q) {
  issue<Function::queue_alloc>(BELAY_FRAME, Q);
  for (uint32_t Tries = 0; Tries < Q->Num; ++Tries) {
    BufferRecord *B = &Q->Buffers[Q->Next];
    Q->Next = (Q->Next + 1) % Q->Num;
    if (B->State != BufferState::Free)
      continue;
    B->State = BufferState::Occupied;
    ++B->Generation;
    return B;
  }
  awaitTheEnd();
}

void belay_sim_queue_enque(QueueState *Q, BufferRecord *B, uint32_t Generation,
                           Pipe Producer, Pipe Consumer) {
  issue<Function::queue_enque>(BELAY_FRAME, Q, B, Generation, Producer,
                               Consumer);
  if (!owns(Q, B) || B->State == BufferState::Free ||
      B->Generation != Generation || B->State == BufferState::InQueue ||
      (Q->Depth && Q->Length >= Q->Depth))
    awaitTheEnd();
  Q->Ring[(Q->Head + Q->Length) % MaxQueueBuffers] =
      static_cast<uint8_t>(B - Q->Buffers);
  ++Q->Length;
  B->State = BufferState::InQueue;
}

BufferRecord *belay_sim_queue_deque(QueueState *Q, Pipe Producer,
                                    Pipe Consumer) {
  issue<Function::queue_deque>(BELAY_FRAME, Q, Producer, Consumer);
  if (!Q->Length)
    awaitTheEnd();
  BufferRecord *B = &Q->Buffers[Q->Ring[Q->Head]];
  Q->Head = (Q->Head + 1) % MaxQueueBuffers;
  --Q->Length;
  B->State = BufferState::DeQueued;
  return B;
}

void belay_sim_queue_free(QueueState *Q, BufferRecord *B, uint32_t Generation) {
  issue<Function::queue_free>(BELAY_FRAME, Q, B, Generation);
  if (!owns(Q, B) || B->State == BufferState::Free ||
      B->Generation != Generation)
    awaitTheEnd();
  B->State = BufferState::Free;
}

BufferRecord *belay_sim_buffer_init(Space S, uint32_t Bytes) {
  issue<Function::buffer_init>(BELAY_FRAME, S, Bytes);
  BufferRecord *B = take(S, 1, Bytes);
  B->State = BufferState::Occupied;
  return B;
}

void belay_sim_pool_init(PoolRange *P, Space S, uint32_t Bytes) {
  issue<Function::pool_init>(BELAY_FRAME, P, S, Bytes);
  BufferRecord *B = take(S, 1, Bytes);
  *P = {S, static_cast<uint32_t>(B->Address - localMemory(S)), B->Bytes, 0};
}

void belay_sim_pool_split(PoolRange *From, PoolRange *To, uint32_t Bytes) {
  issue<Function::pool_split>(BELAY_FRAME, From, To, Bytes);
  uint32_t Begin = From->Begin + From->Used;
  BufferRecord *B = take(*From, 1, Bytes);
  *To = {From->Where, Begin, B->Bytes, 0};
}

void belay_sim_pool_share(PoolRange *To, const PoolRange *From,
                          uint32_t Bytes) {
  issue<Function::pool_share>(BELAY_FRAME, To, From, Bytes);
  if (Bytes > From->Bytes)
    awaitTheEnd();
  *To = *From;
  To->Used = 0;
}

void belay_sim_pool_queue(QueueState *Q, PoolRange *P, uint32_t Num,
                          uint32_t Bytes) {
  issue<Function::pool_queue>(BELAY_FRAME, Q, P, Num, Bytes);
  adopt(Q, take(*P, Num, Bytes), P->Where, Num);
}

BufferRecord *belay_sim_pool_buffer(PoolRange *P, uint32_t Bytes) {
  issue<Function::pool_buffer>(BELAY_FRAME, P, Bytes);
  BufferRecord *B = take(*P, 1, Bytes);
  B->State = BufferState::Occupied;
  return B;
}

// --- where the kernel runs ---------------------------------------------------

uint32_t belay_sim_block_idx() { return TheIssuer.Self.BlockIdx; }
uint32_t belay_sim_block_num() { return TheIssuer.Self.BlockNum; }
uint32_t belay_sim_sub_block_idx() { return TheIssuer.Self.SubBlockIdx; }
uint32_t belay_sim_sub_block_num() { return TheIssuer.Self.SubBlockNum; }
bool belay_sim_is_cube() { return TheIssuer.Self.IsCube; }
bool belay_sim_is_vector() { return TheIssuer.Self.IsVector; }
bool belay_sim_matmul_serves() { return TheIssuer.Self.MatmulServes; }
uint64_t belay_sim_tiling_key() { return TheIssuer.Self.TilingKey; }
void *belay_sim_workspace() { return TheIssuer.Workspace; }
uint8_t *belay_sim_memory(Space S) { return localMemory(S); }
uint32_t belay_sim_memory_bytes(Space S) { return memoryBytes(S); }
uint8_t *belay_sim_memory_rest(Space S, uint32_t *Bytes) {
  uint32_t Taken = Used[static_cast<unsigned>(S)];
  *Bytes = memoryBytes(S) - Taken;
  return localMemory(S) + Taken;
}
