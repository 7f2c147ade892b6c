//===- intrinsics.h - Lower-case names of the device compiler ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels mix the API with the compiler's own functions. These are the ones
// that public kernels use; each is the API call of the same meaning.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_INTRINSICS_H
#define BELAY_ASCENDC_API_INTRINSICS_H

#include "api/data_copy.h"
#include "api/fill.h"
#include "api/sync.h"
#include "api/system.h"

enum cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum dcci_dst_t {
  CACHELINE_ALL = 0,
  CACHELINE_UB,
  CACHELINE_OUT,
  CACHELINE_ATOMIC,
};
enum mem_dsb_t { DSB_ALL = 0, DSB_DDR, DSB_UB, DSB_SEQ };

// --- pipes -------------------------------------------------------------------
BELAY_API void set_flag(pipe_t from, pipe_t to, int32_t id) {
  belay_sim_set_flag(AscendC::belay_detail::pipeOf(from),
                     AscendC::belay_detail::pipeOf(to), id);
}
BELAY_API void wait_flag(pipe_t from, pipe_t to, int32_t id) {
  belay_sim_wait_flag(AscendC::belay_detail::pipeOf(from),
                      AscendC::belay_detail::pipeOf(to), id);
}
BELAY_API void pipe_barrier(pipe_t pipe) {
  belay_sim_pipe_barrier(AscendC::belay_detail::pipeOf(pipe));
}
BELAY_API void dsb(mem_dsb_t) { belay_sim_data_barrier(); }
/// The configuration word holds the mode in bits 4 and 5 and the flag above 8.
BELAY_API void ffts_cross_core_sync(pipe_t pipe, uint64_t config) {
  belay_sim_cross_set(static_cast<uint8_t>(config >> 4 & 3),
                      AscendC::belay_detail::pipeOf(pipe),
                      static_cast<uint16_t>(config >> 8 & 0xf));
}
BELAY_API void wait_flag_dev(int64_t id) {
  belay_sim_cross_wait(0, belay::sim::Pipe::S, static_cast<uint16_t>(id));
}

// --- where am I --------------------------------------------------------------
BELAY_API int64_t get_block_idx() {
  // Unlike GetBlockIdx, the index of the block that both kinds of cores share.
  return belay_sim_block_idx() / belay_sim_sub_block_num();
}
inline constexpr struct {
  BELAY_API operator int64_t() const { return get_block_idx(); }
} block_idx{};
BELAY_API int64_t get_block_num() { return belay_sim_block_num(); }
inline constexpr struct {
  BELAY_API operator int64_t() const { return get_block_num(); }
} block_num{};
BELAY_API int64_t get_subblockid() { return belay_sim_sub_block_idx(); }
BELAY_API int64_t get_subblockdim() { return belay_sim_sub_block_num(); }
BELAY_API int64_t get_sys_cnt() { return belay_sim_cycles(); }

// --- registers ---------------------------------------------------------------
BELAY_API void set_mask_norm() { AscendC::SetMaskNorm(); }
BELAY_API void set_mask_count() { AscendC::SetMaskCount(); }
BELAY_API void set_vector_mask(uint64_t high, uint64_t low) {
  belay_sim_set_mask(high, low);
}
BELAY_API void set_atomic_none() { AscendC::SetAtomicNone(); }
BELAY_API void set_atomic_f32() { AscendC::SetAtomicType<float>(); }
BELAY_API void set_atomic_f16() { AscendC::SetAtomicType<half>(); }
BELAY_API void set_atomic_bf16() { AscendC::SetAtomicType<bfloat16_t>(); }
BELAY_API void set_atomic_s32() { AscendC::SetAtomicType<int32_t>(); }
BELAY_API void set_atomic_s16() { AscendC::SetAtomicType<int16_t>(); }
BELAY_API void set_atomic_s8() { AscendC::SetAtomicType<int8_t>(); }
BELAY_API void set_atomic_add() {
  belay::sim::AtomicOp op;
  belay::sim::Elem type;
  belay_sim_get_atomic(&op, &type);
  belay_sim_set_atomic(belay::sim::AtomicOp::Add, type);
}
BELAY_API uint64_t sbitset0(uint64_t x, int64_t bit) {
  return x & ~(uint64_t(1) << bit);
}
BELAY_API uint64_t sbitset1(uint64_t x, int64_t bit) {
  return x | uint64_t(1) << bit;
}
BELAY_API uint64_t get_ctrl() {
  return uint64_t(!belay_sim_get_saturation(true)) << 48 |
         uint64_t(!belay_sim_get_saturation(false)) << 59 | uint64_t(1) << 60;
}
BELAY_API void set_ctrl(uint64_t x) {
  if ((get_ctrl() ^ x) >> 48 & 1)
    belay_sim_set_saturation(true, !(x >> 48 & 1));
  if ((get_ctrl() ^ x) >> 59 & 1)
    belay_sim_set_saturation(false, !(x >> 59 & 1));
}

// --- arithmetic of the scalar unit -------------------------------------------
// The device's compiler has these without an #include. They are templates, so
// that a kernel may include <cmath> as well, and in a namespace, so that it may
// be called sqrt itself.
namespace AscendC {
#define BELAY_SCALAR_FUNCTION(Name)                                            \
  template <typename T,                                                        \
            std::enable_if_t<                                                  \
                std::is_same_v<T, float> || std::is_same_v<T, half>, int> = 0> \
  BELAY_API T Name(T x) {                                                      \
    return static_cast<T>(__builtin_##Name##f(static_cast<float>(x)));         \
  }
BELAY_SCALAR_FUNCTION(sqrt)
BELAY_SCALAR_FUNCTION(sin)
BELAY_SCALAR_FUNCTION(cos)
BELAY_SCALAR_FUNCTION(exp)
BELAY_SCALAR_FUNCTION(log)
#undef BELAY_SCALAR_FUNCTION
} // namespace AscendC
// Variadic, so that std::min and a kernel's own are better matches.
#define BELAY_SCALAR_CHOICE(Name, First)                                       \
  template <typename T, typename... U,                                         \
            std::enable_if_t<sizeof...(U) == 1 && std::is_arithmetic_v<T> &&   \
                                 (std::is_arithmetic_v<U> && ...),             \
                             int> = 0>                                         \
  BELAY_API constexpr auto Name(T a, U... b) {                                 \
    using C = std::common_type_t<T, U...>;                                     \
    return (..., (First ? static_cast<C>(a) : static_cast<C>(b)));             \
  }
BELAY_SCALAR_CHOICE(min, !(b < a))
BELAY_SCALAR_CHOICE(max, !(a < b))
#undef BELAY_SCALAR_CHOICE

// --- vectors -----------------------------------------------------------------
// The mask is what set_vector_mask left behind. In the namespace, so that a
// kernel may be called vadd.
namespace AscendC {
template <typename T>
BELAY_API void vector_dup(__ubuf__ T *dst, T value,
                          AscendC::belay_detail::Repeat repeat,
                          uint16_t dstBlockStride, uint16_t,
                          uint16_t dstRepeatStride, uint16_t) {
  using namespace AscendC::belay_detail;
  Walk w =
      fillWalk<false>(uint64_t(0), repeat, dstBlockStride, dstRepeatStride);
  belay_sim_duplicate(elem<T>, dst, &value, &w);
}
#define BELAY_CCE_BINARY(Name, Op)                                             \
  template <typename T>                                                        \
  BELAY_API void Name(__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1,     \
                      AscendC::belay_detail::Repeat repeat,                    \
                      uint8_t dstBlockStride, uint8_t src0BlockStride,         \
                      uint8_t src1BlockStride, uint8_t dstRepeatStride,        \
                      uint8_t src0RepeatStride, uint8_t src1RepeatStride) {    \
    using namespace AscendC::belay_detail;                                     \
    Walk w = repeatWalk<false>(                                                \
        uint64_t(0), repeat,                                                   \
        AscendC::BinaryRepeatParams(dstBlockStride, src0BlockStride,           \
                                    src1BlockStride, dstRepeatStride,          \
                                    src0RepeatStride, src1RepeatStride));      \
    belay_sim_binary(belay::sim::BinaryOp::Op, elem<T>, elem<T>, dst, src0,    \
                     src1, &w);                                                \
  }
BELAY_CCE_BINARY(vadd, Add)
BELAY_CCE_BINARY(vsub, Sub)
BELAY_CCE_BINARY(vmul, Mul)
BELAY_CCE_BINARY(vdiv, Div)
BELAY_CCE_BINARY(vmax, Max)
BELAY_CCE_BINARY(vmin, Min)
BELAY_CCE_BINARY(vand, And)
BELAY_CCE_BINARY(vor, Or)
#undef BELAY_CCE_BINARY
} // namespace AscendC

// --- memory ------------------------------------------------------------------
template <typename T> BELAY_API void dcci(const T *address, uint64_t entire) {
  belay_sim_cache_clean(reinterpret_cast<const void *>(address), entire == 1);
}
template <typename T>
BELAY_API void dcci(const T *address, uint64_t entire, uint64_t) {
  belay_sim_cache_clean(reinterpret_cast<const void *>(address), entire == 1);
}

BELAY_API void copy_gm_to_ubuf(void *dst, const void *src, uint8_t,
                               uint16_t bursts, uint16_t blocks,
                               uint16_t srcGap, uint16_t dstGap) {
  AscendC::belay_detail::copyBlocks(
      dst, src, belay::sim::Elem::U8, belay::sim::Pipe::MTE2,
      AscendC::DataCopyParams(bursts, blocks, srcGap, dstGap));
}
BELAY_API void copy_ubuf_to_gm(void *dst, const void *src, uint8_t,
                               uint16_t bursts, uint16_t blocks,
                               uint16_t srcGap, uint16_t dstGap) {
  AscendC::belay_detail::copyBlocks(
      dst, src, belay::sim::Elem::U8, belay::sim::Pipe::MTE3,
      AscendC::DataCopyParams(bursts, blocks, srcGap, dstGap));
}
BELAY_API void copy_ubuf_to_ubuf(void *dst, const void *src, uint8_t,
                                 uint16_t bursts, uint16_t blocks,
                                 uint16_t srcGap, uint16_t dstGap) {
  AscendC::belay_detail::copyBlocks(
      dst, src, belay::sim::Elem::U8, belay::sim::Pipe::V,
      AscendC::DataCopyParams(bursts, blocks, srcGap, dstGap));
}

#endif // BELAY_ASCENDC_API_INTRINSICS_H
