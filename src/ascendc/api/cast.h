//===- cast.h - Conversions and rounding ------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_CAST_H
#define BELAY_ASCENDC_API_CAST_H

#include "abi/Vector.h"
#include "api/walk.h"

namespace AscendC {

enum class RoundMode : uint8_t {
  CAST_NONE = 0,
  CAST_RINT,
  CAST_FLOOR,
  CAST_CEIL,
  CAST_ROUND,
  CAST_TRUNC,
  CAST_ODD,
  CAST_HYBRID,
  UNKNOWN = 0xFF,
};

constexpr int32_t VDEQ_TENSOR_SIZE = 16;

struct VdeqInfo {
  VdeqInfo() = default;
  __aicore__ VdeqInfo(const float scale[VDEQ_TENSOR_SIZE],
                      const int16_t offset[VDEQ_TENSOR_SIZE],
                      const bool signMode[VDEQ_TENSOR_SIZE]) {
    for (int32_t i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
      vdeqScale[i] = scale[i];
      vdeqOffset[i] = offset[i];
      vdeqSignMode[i] = signMode[i];
    }
  }
  float vdeqScale[VDEQ_TENSOR_SIZE] = {};
  int16_t vdeqOffset[VDEQ_TENSOR_SIZE] = {};
  bool vdeqSignMode[VDEQ_TENSOR_SIZE] = {};
};

namespace belay_detail {
constexpr belay::sim::Rounding roundingOf(RoundMode m) {
  return static_cast<belay::sim::Rounding>(m);
}
template <typename T, typename U>
BELAY_API void cast(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                    RoundMode mode, const Walk &w) {
  belay_sim_cast(elem<PrimT<T>>, elem<PrimT<U>>, roundingOf(mode), dst.data(),
                 src.data(), &w);
}
template <bool isVecDeq, bool halfBlock, typename T, typename U>
BELAY_API void castDequant(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                           const Walk &w) {
  belay_sim_cast_dequant(elem<PrimT<T>>, elem<PrimT<U>>, dst.data(), src.data(),
                         &w, isVecDeq, halfBlock);
}
/// 16-bit results lie in half blocks; half results of int32_t are dense.
template <typename T, typename U> BELAY_API Walk dequantWalk(int64_t count) {
  if constexpr (sizeof(PrimT<T>) == 1)
    return countWalk<PrimT<U>, PrimT<U>>(count);
  else
    return countWalk<PrimT<T>, PrimT<U>>(count);
}
} // namespace belay_detail

// --- vectors -----------------------------------------------------------------
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                    const RoundMode &roundMode, const uint64_t mask[],
                    const belay_detail::Repeat repeatTime,
                    const UnaryRepeatParams &repeatParams) {
  belay_detail::cast(
      dst, src, roundMode,
      belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));
}
template <typename T, typename U, bool isSetMask = true>
BELAY_API void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                    const RoundMode &roundMode, const uint64_t mask,
                    const belay_detail::Repeat repeatTime,
                    const UnaryRepeatParams &repeatParams) {
  belay_detail::cast(
      dst, src, roundMode,
      belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));
}
template <typename T, typename U>
BELAY_API void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                    const RoundMode &roundMode, const uint32_t count) {
  belay_detail::cast(dst, src, roundMode,
                     belay_detail::countWalk<PrimT<T>, PrimT<U>>(count));
}

/// Drops the fraction and keeps the type (950).
template <typename T, RoundMode roundMode>
BELAY_API void Truncate(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                        const uint32_t count) {
  auto w = belay_detail::countWalk<PrimT<T>, PrimT<T>>(count);
  belay_sim_truncate(belay_detail::elem<PrimT<T>>,
                     belay_detail::roundingOf(roundMode), dst.data(),
                     src.data(), &w);
}

// --- dequantisation ----------------------------------------------------------
BELAY_API void SetDeqScale(half scale) {
  belay_sim_set_deq_half(__builtin_bit_cast(uint16_t, scale));
}
BELAY_API void SetDeqScale(float scale, int16_t offset, bool signMode) {
  belay_sim_set_deq_tensor(scale, offset, signMode);
}
template <typename T>
BELAY_API void SetDeqScale(const LocalTensor<T> &vdeq, const VdeqInfo &info) {
  belay_sim_set_deq_vector(vdeq.data(), info.vdeqScale, info.vdeqOffset,
                           info.vdeqSignMode);
}

// CastDeq is the old name of CastDequant.
#define BELAY_ASCENDC_DEQUANT(Name)                                            \
  template <typename T, typename U, bool isSetMask = true,                     \
            bool isVecDeq = true, bool halfBlock = true>                       \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src,    \
                      const uint64_t mask[], belay_detail::Repeat repeatTime,  \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::castDequant<isVecDeq, halfBlock>(                            \
        dst, src,                                                              \
        belay_detail::repeatWalk<isSetMask>(mask, repeatTime, repeatParams));  \
  }                                                                            \
  template <typename T, typename U, bool isSetMask = true,                     \
            bool isVecDeq = true, bool halfBlock = true>                       \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src,    \
                      const int32_t mask, belay_detail::Repeat repeatTime,     \
                      const UnaryRepeatParams &repeatParams) {                 \
    belay_detail::castDequant<isVecDeq, halfBlock>(                            \
        dst, src,                                                              \
        belay_detail::repeatWalk<isSetMask>(static_cast<uint64_t>(mask),       \
                                            repeatTime, repeatParams));        \
  }                                                                            \
  template <typename T, typename U, bool isVecDeq = true,                      \
            bool halfBlock = true>                                             \
  BELAY_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src,    \
                      const uint32_t count) {                                  \
    belay_detail::castDequant<isVecDeq, halfBlock>(                            \
        dst, src, belay_detail::dequantWalk<T, U>(count));                     \
  }
BELAY_ASCENDC_DEQUANT(CastDequant)
BELAY_ASCENDC_DEQUANT(CastDeq)
#undef BELAY_ASCENDC_DEQUANT

// --- scalars -----------------------------------------------------------------
template <typename T, typename U, RoundMode roundMode>
BELAY_API U ScalarCast(T valueIn) {
  if constexpr (std::is_integral_v<U>) {
    float x = static_cast<float>(valueIn);
    if constexpr (roundMode == RoundMode::CAST_CEIL)
      x = __builtin_ceilf(x);
    else if constexpr (roundMode == RoundMode::CAST_FLOOR)
      x = __builtin_floorf(x);
    else if constexpr (roundMode == RoundMode::CAST_ROUND)
      x = __builtin_roundf(x);
    else if constexpr (roundMode == RoundMode::CAST_TRUNC)
      x = __builtin_truncf(x);
    else
      x = __builtin_rintf(x);
    // 2^31 is a float, 2^31 - 1 is none.
    return x >= 2147483648.0f ? static_cast<U>(2147483647)
           : !(x > -2147483648.0f)
               ? static_cast<U>(x != x ? 0 : -2147483647 - 1)
               : static_cast<U>(x);
  } else if constexpr (roundMode == RoundMode::CAST_ODD) {
    return belay_sim_half_to_odd(static_cast<float>(valueIn));
  } else {
    return static_cast<U>(valueIn);
  }
}
template <typename T, typename U, RoundMode roundMode>
BELAY_API U Cast(T valueIn) {
  return ScalarCast<T, U, roundMode>(valueIn);
}
BELAY_API bfloat16_t Cast(const float &value) {
  return static_cast<bfloat16_t>(value);
}
BELAY_API float Cast(const bfloat16_t &value) {
  return static_cast<float>(value);
}
BELAY_API float ToFloat(const bfloat16_t &value) {
  return static_cast<float>(value);
}
BELAY_API float ToFloat(const half &value) { return static_cast<float>(value); }
BELAY_API float ToFloat(const float &value) { return value; }
BELAY_API bfloat16_t ToBfloat16(const float &value) {
  return static_cast<bfloat16_t>(value);
}
BELAY_API half ToHalf(const float &value) { return static_cast<half>(value); }

} // namespace AscendC

#endif // BELAY_ASCENDC_API_CAST_H
