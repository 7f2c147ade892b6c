//===- c_api/copies.h - Copies, order, and sums in memory -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_C_API_COPIES_H
#define BELAY_ASCENDC_C_API_COPIES_H

#include "kernel_operator.h"

enum class asc_load_l2_cache_mode : uint8_t {
  NORMAL_FIRST_VICTIM = 0,
  NORMAL_LAST_VICTIM = 1,
  NORMAL_PERSISTENT = 2,
  NOTALLOC_KEEP = 4,
  NOTALLOC_CLEAN = 5,
  NOTALLOC_DROP = 6
};
enum class asc_store_l2_cache_mode : uint8_t {
  NORMAL_FIRST_VICTIM = 0,
  NORMAL_LAST_VICTIM = 1,
  NORMAL_PERSISTENT = 2,
  NOTALLOC_CLEAN = 4
};

namespace belay_c {

template <class T>
BELAY_API AscendC::LocalTensor<T> local(void *address, uint64_t bytes) {
  return AscendC::LocalTensor<T>(AscendC::TPosition::VECCALC,
                                 reinterpret_cast<uint64_t>(address),
                                 static_cast<uint32_t>(bytes / sizeof(T)));
}
template <class T> BELAY_API AscendC::GlobalTensor<T> global(void *address) {
  AscendC::GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(static_cast<__gm__ T *>(address));
  return tensor;
}
BELAY_API uint32_t wholeBlocks(uint32_t bytes) { return (bytes + 31) / 32; }
/// Bytes of the UB that bursts of so many blocks, with gaps, reach over.
BELAY_API uint64_t reach(uint32_t bursts, uint32_t blocks, uint32_t gap) {
  return bursts ? (uint64_t(bursts - 1) * (blocks + gap) + blocks) * 32 : 0;
}
/// What is left from one burst to the next; strides are from start to start.
BELAY_API int64_t gapOf(uint32_t bursts, uint64_t stride, uint32_t length) {
  return bursts < 2
             ? 0
             : static_cast<int64_t>(stride) - static_cast<int64_t>(length);
}

} // namespace belay_c

// --- the core ----------------------------------------------------------------
#define ASC_IS_AIC ASCEND_IS_AIC
#define ASC_IS_AIV ASCEND_IS_AIV
BELAY_API void asc_init() { AscendC::InitSocState(); }
BELAY_API int64_t asc_get_block_idx() { return AscendC::GetBlockIdx(); }
BELAY_API int64_t asc_get_block_num() { return AscendC::GetBlockNum(); }
BELAY_API constexpr int64_t asc_get_vf_len() { return 256; }

// --- order -------------------------------------------------------------------
BELAY_API void asc_sync_notify(pipe_t from, pipe_t to, int32_t id) {
  set_flag(from, to, id);
}
BELAY_API void asc_sync_wait(pipe_t from, pipe_t to, int32_t id) {
  wait_flag(from, to, id);
}
BELAY_API void asc_sync_pipe(pipe_t pipe) { pipe_barrier(pipe); }
BELAY_API void asc_sync() { pipe_barrier(PIPE_ALL); }
template <class Kind> BELAY_API void asc_sync_data_barrier(Kind) {
  belay_sim_data_barrier();
}
BELAY_API void asc_lock(pipe_t pipe, uint8_t id) {
  belay_sim_mutex(true, AscendC::belay_detail::pipeOf(pipe), id);
}
BELAY_API void asc_unlock(pipe_t pipe, uint8_t id) {
  belay_sim_mutex(false, AscendC::belay_detail::pipeOf(pipe), id);
}

// --- copies ------------------------------------------------------------------
// Lengths and gaps in blocks of 32 bytes, or one length in bytes.
BELAY_API void asc_copy_gm2ub(void *dst, void *src, uint16_t bursts,
                              uint16_t length, uint16_t srcGap,
                              uint16_t dstGap) {
  AscendC::DataCopy(
      belay_c::local<int8_t>(dst, belay_c::reach(bursts, length, dstGap)),
      belay_c::global<int8_t>(src),
      AscendC::DataCopyParams(bursts, length, srcGap, dstGap));
}
BELAY_API void asc_copy_ub2gm(void *dst, void *src, uint16_t bursts,
                              uint16_t length, uint16_t srcGap,
                              uint16_t dstGap) {
  AscendC::DataCopy(
      belay_c::global<int8_t>(dst),
      belay_c::local<int8_t>(src, belay_c::reach(bursts, length, srcGap)),
      AscendC::DataCopyParams(bursts, length, srcGap, dstGap));
}

// Of elements. Strides are bytes, from start to start.
template <class T, class Cache>
BELAY_API void asc_copy_gm2ub_align(T *dst, T *src, uint16_t bursts,
                                    uint32_t bytes, uint8_t left, uint8_t right,
                                    bool, Cache, uint64_t srcStride,
                                    uint32_t dstStride) {
  uint32_t blocks =
      belay_c::wholeBlocks(bytes + (left + right) * uint32_t(sizeof(T)));
  int64_t gap = belay_c::gapOf(bursts, dstStride, blocks * 32) / 32;
  AscendC::DataCopyPad(
      belay_c::local<T>(
          dst, belay_c::reach(bursts, blocks, static_cast<uint32_t>(gap))),
      belay_c::global<T>(src),
      AscendC::DataCopyExtParams(
          bursts, bytes,
          static_cast<uint32_t>(belay_c::gapOf(bursts, srcStride, bytes)),
          static_cast<uint32_t>(gap), 0),
      AscendC::DataCopyPadExtParams<T>(left || right, left, right, T()));
}
template <class T>
BELAY_API void asc_copy_gm2ub_align(T *dst, T *src, uint32_t bytes) {
  asc_copy_gm2ub_align(dst, src, 1, bytes, 0, 0, false, 0, 0, 0);
}
template <class T, class Cache>
BELAY_API void asc_copy_ub2gm_align(T *dst, T *src, uint16_t bursts,
                                    uint32_t bytes, Cache, uint64_t dstStride,
                                    uint32_t srcStride) {
  uint32_t blocks = belay_c::wholeBlocks(bytes);
  int64_t gap = belay_c::gapOf(bursts, srcStride, blocks * 32) / 32;
  AscendC::DataCopyPad(
      belay_c::global<T>(dst),
      belay_c::local<T>(
          src, belay_c::reach(bursts, blocks, static_cast<uint32_t>(gap))),
      AscendC::DataCopyExtParams(
          bursts, bytes, static_cast<uint32_t>(gap),
          static_cast<uint32_t>(belay_c::gapOf(bursts, dstStride, bytes)), 0));
}
template <class T>
BELAY_API void asc_copy_ub2gm_align(T *dst, T *src, uint32_t bytes) {
  asc_copy_ub2gm_align(dst, src, 1, bytes, 0, 0, 0);
}

BELAY_API void asc_copy_gm2ub(void *dst, void *src, uint32_t bytes) {
  asc_copy_gm2ub_align(static_cast<uint8_t *>(dst), static_cast<uint8_t *>(src),
                       bytes);
}
BELAY_API void asc_copy_ub2gm(void *dst, void *src, uint32_t bytes) {
  asc_copy_ub2gm_align(static_cast<uint8_t *>(dst), static_cast<uint8_t *>(src),
                       bytes);
}
/// The functions called _sync end when all is done.
BELAY_API void asc_copy_gm2ub_sync(void *dst, void *src, uint32_t bytes) {
  asc_copy_gm2ub(dst, src, bytes);
  asc_sync();
}
BELAY_API void asc_copy_ub2gm_sync(void *dst, void *src, uint32_t bytes) {
  asc_copy_ub2gm(dst, src, bytes);
  asc_sync();
}

// --- arithmetic in memory ----------------------------------------------------
#define BELAY_C_BINARY(Name, Of)                                               \
  template <class T>                                                           \
  BELAY_API void Name(T *dst, T *src0, T *src1, uint32_t count) {              \
    uint64_t bytes = uint64_t(count) * sizeof(T);                              \
    AscendC::Of(belay_c::local<T>(dst, bytes), belay_c::local<T>(src0, bytes), \
                belay_c::local<T>(src1, bytes), static_cast<int32_t>(count));  \
  }                                                                            \
  template <class T>                                                           \
  BELAY_API void Name##_sync(T *dst, T *src0, T *src1, uint32_t count) {       \
    Name(dst, src0, src1, count);                                              \
    asc_sync();                                                                \
  }                                                                            \
  template <class T>                                                           \
  BELAY_API void Name(T *dst, T *src0, T *src1, uint8_t repeat,                \
                      uint8_t dstBlock, uint8_t src0Block, uint8_t src1Block,  \
                      uint8_t dstRepeat, uint8_t src0Repeat,                   \
                      uint8_t src1Repeat) {                                    \
    uint32_t most = belay_sim_memory_bytes(belay::sim::Space::UB);             \
    auto rest = [most](void *address) {                                        \
      return most -                                                            \
             static_cast<uint32_t>(static_cast<uint8_t *>(address) -           \
                                   belay_sim_memory(belay::sim::Space::UB));   \
    };                                                                         \
    AscendC::Of(belay_c::local<T>(dst, rest(dst)),                             \
                belay_c::local<T>(src0, rest(src0)),                           \
                belay_c::local<T>(src1, rest(src1)),                           \
                static_cast<uint64_t>(256 / sizeof(T)), repeat,                \
                AscendC::BinaryRepeatParams(dstBlock, src0Block, src1Block,    \
                                            dstRepeat, src0Repeat,             \
                                            src1Repeat));                      \
  }
BELAY_C_BINARY(asc_add, Add)
BELAY_C_BINARY(asc_sub, Sub)
BELAY_C_BINARY(asc_mul, Mul)
BELAY_C_BINARY(asc_div, Div)
BELAY_C_BINARY(asc_max, Max)
BELAY_C_BINARY(asc_min, Min)
#undef BELAY_C_BINARY

#endif // BELAY_ASCENDC_C_API_COPIES_H
