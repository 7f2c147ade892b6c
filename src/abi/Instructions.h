//===- Instructions.h - Calls from a kernel into its core -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The AscendC headers only marshal: every API call ends in one of these
// functions, which are compiled once, into the runtime. Each call is one
// instruction (or one library routine) issued by the scalar unit; its return
// address names the source line.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_INSTRUCTIONS_H
#define BELAY_ABI_INSTRUCTIONS_H

#include "abi/Types.h"

// A tail call or a merged call would lose the line it came from.
#if defined(__clang__)
#define BELAY_SIM_CALL                                                         \
  __attribute__((visibility("default"), not_tail_called, nomerge))
#else
#define BELAY_SIM_CALL __attribute__((visibility("default")))
#endif

namespace belay::sim {

enum class UnaryOp : uint8_t {
#define BELAY_UNARY(Name) Name,
#include "abi/Ops.def"
};
enum class BinaryOp : uint8_t {
#define BELAY_BINARY(Name) Name,
#include "abi/Ops.def"
};
enum class ScalarOp : uint8_t {
#define BELAY_SCALAR(Name) Name,
#include "abi/Ops.def"
};
enum class ReduceOp : uint8_t { Sum, Max, Min };
enum class CompareOp : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class Rounding : uint8_t { None, Rint, Floor, Ceil, Round, Trunc, Odd };
enum class AtomicOp : uint8_t { None, Add, Max, Min };

/// Blocks of bytes that a DMA moves. Strides are from start to start.
struct Copy {
  void *Dst;
  const void *Src;
  uint32_t Bursts;
  uint32_t BurstBytes;
  int64_t DstStride;
  int64_t SrcStride;
  // Padding written around each burst in the destination.
  uint32_t LeftPadBytes = 0;
  uint32_t RightPadBytes = 0;
  uint64_t PadBits = 0; // one element, repeated
  Elem Type = Elem::U8;
  Pipe On = Pipe::MTE2;
  const char *Name = "DataCopy";
};

/// DataCopy between two memories of a core. Lengths and gaps are in the units
/// of the API, which depend on the memories; the runtime knows them.
struct LocalCopy {
  void *Dst;
  const void *Src;
  Elem DstType, SrcType;
  uint32_t Bursts, BurstLength, SrcGap, DstGap;
  uint32_t Count = 0; // elements, instead of the four above
};

struct BufferRecord;
struct QueueState;

} // namespace belay::sim

extern "C" {

// --- vector unit -----------------------------------------------------------
BELAY_SIM_CALL void belay_sim_unary(belay::sim::UnaryOp Op, belay::sim::Elem T,
                                    void *Dst, const void *Src,
                                    const belay::sim::Walk *W);
BELAY_SIM_CALL void belay_sim_binary(belay::sim::BinaryOp Op,
                                     belay::sim::Elem DstT,
                                     belay::sim::Elem SrcT, void *Dst,
                                     const void *Src0, const void *Src1,
                                     const belay::sim::Walk *W);
/// Scalar points at one element of type SrcT.
BELAY_SIM_CALL void belay_sim_scalar(belay::sim::ScalarOp Op,
                                     belay::sim::Elem DstT,
                                     belay::sim::Elem SrcT, void *Dst,
                                     const void *Src, const void *Scalar,
                                     const belay::sim::Walk *W);
BELAY_SIM_CALL void belay_sim_cast(belay::sim::Elem DstT, belay::sim::Elem SrcT,
                                   belay::sim::Rounding Mode, void *Dst,
                                   const void *Src, const belay::sim::Walk *W);
/// Walk.Operand[0] strides the destination; the scalar fills masked lanes.
BELAY_SIM_CALL void belay_sim_duplicate(belay::sim::Elem T, void *Dst,
                                        const void *Scalar,
                                        const belay::sim::Walk *W);

// --- data movement ---------------------------------------------------------
BELAY_SIM_CALL void belay_sim_copy(const belay::sim::Copy *C);
BELAY_SIM_CALL void belay_sim_copy_local(const belay::sim::LocalCopy *C);

// --- registers -------------------------------------------------------------
BELAY_SIM_CALL void belay_sim_set_mask(uint64_t High, uint64_t Low);
BELAY_SIM_CALL void belay_sim_set_mask_counter(bool Counter);
BELAY_SIM_CALL void belay_sim_set_atomic(belay::sim::AtomicOp Op,
                                         belay::sim::Elem T);

// --- synchronisation -------------------------------------------------------
BELAY_SIM_CALL void belay_sim_set_flag(belay::sim::Pipe From,
                                       belay::sim::Pipe To, int32_t Id);
BELAY_SIM_CALL void belay_sim_wait_flag(belay::sim::Pipe From,
                                        belay::sim::Pipe To, int32_t Id);
BELAY_SIM_CALL void belay_sim_pipe_barrier(belay::sim::Pipe P);
/// All vector cores of the launch, or all cores.
BELAY_SIM_CALL void belay_sim_sync_all(bool VectorOnly);
BELAY_SIM_CALL void belay_sim_cross_set(uint8_t Mode, belay::sim::Pipe P,
                                        uint16_t Id);
BELAY_SIM_CALL void belay_sim_cross_wait(uint8_t Mode, belay::sim::Pipe P,
                                         uint16_t Id);

// --- where am I ------------------------------------------------------------
BELAY_SIM_CALL uint32_t belay_sim_block_idx();
BELAY_SIM_CALL uint32_t belay_sim_block_num();
BELAY_SIM_CALL uint32_t belay_sim_sub_block_idx();
BELAY_SIM_CALL uint32_t belay_sim_sub_block_num();
BELAY_SIM_CALL bool belay_sim_is_cube();
BELAY_SIM_CALL bool belay_sim_is_vector();
BELAY_SIM_CALL uint64_t belay_sim_tiling_key();
BELAY_SIM_CALL int64_t belay_sim_cycles();
BELAY_SIM_CALL void *belay_sim_workspace();
BELAY_SIM_CALL void belay_sim_set_workspace(void *P);

// --- memories --------------------------------------------------------------
/// The first byte of a memory of this core.
BELAY_SIM_CALL uint8_t *belay_sim_memory(belay::sim::Space S);
BELAY_SIM_CALL uint32_t belay_sim_memory_bytes(belay::sim::Space S);

// --- scalar accesses -------------------------------------------------------
// Checked inline by the headers; these are the slow paths.
/// True while someone reads the stream.
extern __attribute__((visibility("default"))) bool belay_sim_observed;
BELAY_SIM_CALL void belay_sim_scalar_local(const void *Address, uint32_t Bytes,
                                           bool Write);
BELAY_SIM_CALL void belay_sim_scalar_global(const void *Address, uint32_t Bytes,
                                            bool Write);
/// While observed: an offset in elements that a tensor is indexed with, or that
/// lies between an argument and the address given to SetGlobalBuffer.
BELAY_SIM_CALL void belay_sim_note_offset(uint64_t Elements);
BELAY_SIM_CALL void belay_sim_note_buffer(const void *Address,
                                          uint32_t ElementBytes);
/// Before an instruction, while observed: what the tensor at Address promises.
/// Buffer is a BufferRecord, or null.
BELAY_SIM_CALL void belay_sim_note_tensor(const void *Address, uint64_t Bytes,
                                          const void *Buffer,
                                          uint32_t Generation);
/// While observed: a part of a TBuf was asked for, with a size of its own.
BELAY_SIM_CALL void belay_sim_note_slice(const void *Address, uint64_t Bytes,
                                         const void *Buffer);
/// Scalar access to an element past the end of its local tensor. As for other
/// instructions a plain run goes on while the address is in a memory.
BELAY_SIM_CALL void belay_sim_element_past_end(const void *Address,
                                               uint32_t Bytes, uint64_t Index,
                                               uint64_t Size);

// --- buffers and queues ----------------------------------------------------
/// Starts (or restarts) the buffer manager of this core.
BELAY_SIM_CALL void belay_sim_pipe_reset();
BELAY_SIM_CALL void belay_sim_queue_init(belay::sim::QueueState *Q,
                                         belay::sim::Space S, uint32_t Num,
                                         uint32_t Bytes);
BELAY_SIM_CALL belay::sim::BufferRecord *
belay_sim_queue_alloc(belay::sim::QueueState *Q);
/// EnQue and DeQue make Consumer wait for Producer: the queue's own pipes,
/// unless the call names other ones.
BELAY_SIM_CALL void belay_sim_queue_enque(belay::sim::QueueState *Q,
                                          belay::sim::BufferRecord *B,
                                          uint32_t Generation,
                                          belay::sim::Pipe Producer,
                                          belay::sim::Pipe Consumer);
BELAY_SIM_CALL belay::sim::BufferRecord *
belay_sim_queue_deque(belay::sim::QueueState *Q, belay::sim::Pipe Producer,
                      belay::sim::Pipe Consumer);
BELAY_SIM_CALL void belay_sim_queue_free(belay::sim::QueueState *Q,
                                         belay::sim::BufferRecord *B,
                                         uint32_t Generation);
/// A plain block of memory, as TBuf takes it.
BELAY_SIM_CALL belay::sim::BufferRecord *
belay_sim_buffer_init(belay::sim::Space S, uint32_t Bytes);
/// What is left of a memory above all that InitBuffer gave out.
BELAY_SIM_CALL uint8_t *belay_sim_memory_rest(belay::sim::Space S,
                                              uint32_t *Bytes);

// --- talking to the user ---------------------------------------------------
[[noreturn]] BELAY_SIM_CALL void
belay_sim_fail(const char *Id, const char *Message, const char *Hint);
BELAY_SIM_CALL void belay_sim_print(const char *Text, uint32_t Bytes);
}

#endif // BELAY_ABI_INSTRUCTIONS_H
