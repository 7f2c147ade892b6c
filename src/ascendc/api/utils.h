//===- utils.h - Small names that kernels expect to find --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ASCENDC_API_UTILS_H
#define BELAY_ASCENDC_API_UTILS_H

#include "api/debug.h"
#include "api/pipe.h"
#include "api/system.h"

using float16_t = half;
using float32_t = float;

#ifndef likely
#define likely(x) __builtin_expect(static_cast<bool>(x), true)
#endif
#ifndef unlikely
#define unlikely(x) __builtin_expect(static_cast<bool>(x), false)
#endif

/// What these bytes are as a T, at compile time: tilings that are constants.
template <typename T> constexpr T convert_from_bytes(const uint8_t *bytes) {
  struct {
    uint8_t all[sizeof(T)];
  } copy = {};
  for (size_t i = 0; i < sizeof(T); ++i)
    copy.all[i] = bytes[i];
  return __builtin_bit_cast(T, copy);
}

namespace AscendC {

template <typename T, typename U> struct IsSameType {
  static constexpr bool value = std::is_same_v<T, U>;
};

template <bool condition, typename T, typename U> struct Conditional {
  using type = std::conditional_t<condition, T, U>;
};

enum BelayCoreType : int { MIX = 0, AIC = 1, AIV = 2 };

/// Which kind of core this is compiled for; MIX where one core is both. Belay's
/// own headers ask belay_sim_is_cube() instead: only kernels that name this are
/// compiled for each kind.
#ifdef BELAY_CORE_TYPE
inline constexpr BelayCoreType g_coreType = BELAY_CORE_TYPE;
#else
inline constexpr BelayCoreType g_coreType = MIX;
#endif

/// Names of the vendor's own library that kernels reach into.
class AscendCUtils {
public:
  template <typename T, bool isSetMask = true>
  static BELAY_API void SetMask(uint64_t high, uint64_t low) {
    if constexpr (isSetMask)
      belay_sim_set_mask(high, low);
  }
  template <typename T, bool isSetMask = true>
  static BELAY_API void SetMask(int32_t len) {
    if constexpr (isSetMask)
      SetVectorMask<T>(len);
  }
  template <typename T> static BELAY_API void ResetMask() {
    AscendC::ResetMask();
  }
  static BELAY_API void ResetMask() { AscendC::ResetMask(); }
  static BELAY_API void SetMaskCount() { AscendC::SetMaskCount(); }
  static BELAY_API void SetMaskNorm() { AscendC::SetMaskNorm(); }
  /// What floats become that are too large for their type: infinities, or with
  /// 0 the largest number.
  static BELAY_API void SetOverflow(uint64_t ctrlValue) {
    belay_sim_set_saturation(true, ctrlValue != 1);
  }
  /// Elements of a fractal's row.
  static BELAY_API int32_t GetC0Count(const int32_t typeBytes) {
    return 32 / typeBytes;
  }
};

template <typename T>
BELAY_API void DuplicateImpl(__ubuf__ T *dst, const T &value,
                             const int32_t &count) {
  auto w = belay_detail::countWalk<T, T>(count);
  belay_sim_duplicate(belay_detail::elem<T>, dst, &value, &w);
}
template <typename T>
BELAY_API void DataCopyGM2UBImpl(__ubuf__ T *dst, __gm__ T *src,
                                 const DataCopyParams &params) {
  belay_detail::copyBlocks(dst, src, belay_detail::elem<T>,
                           belay::sim::Pipe::MTE2, params);
}
template <typename T>
BELAY_API void DataCopyUB2GMImpl(__gm__ T *dst, __ubuf__ T *src,
                                 const DataCopyParams &params) {
  belay_detail::copyBlocks(dst, src, belay_detail::elem<T>,
                           belay::sim::Pipe::MTE3, params);
}

} // namespace AscendC

using AscendC::g_coreType;
using AscendC::GetTPipePtr;

#endif // BELAY_ASCENDC_API_UTILS_H
