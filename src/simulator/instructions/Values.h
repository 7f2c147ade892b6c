//===- Values.h - Element types inside the model -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SIMULATOR_INSTRUCTIONS_VALUES_H
#define BELAY_SIMULATOR_INSTRUCTIONS_VALUES_H

#include "abi/Types.h"

#include <bit>
#include <type_traits>

namespace belay::sim {

using F16 = _Float16;

/// bfloat16 as its bits. The compiler's own type goes through a library call
/// for every rounding on CPUs without the instruction; this one vectorises.
struct BF16 {
  uint16_t Bits;

  BF16() = default;
  explicit BF16(float F) {
    uint32_t U = std::bit_cast<uint32_t>(F);
    uint32_t Rounded = (U + 0x7fff + ((U >> 16) & 1)) >> 16;
    uint32_t Quiet = (U >> 16) | 0x40;
    Bits =
        static_cast<uint16_t>((U & 0x7fffffff) > 0x7f800000 ? Quiet : Rounded);
  }
  operator float() const {
    return std::bit_cast<float>(static_cast<uint32_t>(Bits) << 16);
  }
};

/// What arithmetic on T is done in: 16-bit floats compute in float and round
/// once, which for + - * / and sqrt is the correctly rounded result.
template <typename T>
using Wide =
    std::conditional_t<std::is_same_v<T, F16> || std::is_same_v<T, BF16>, float,
                       T>;

template <typename T>
inline constexpr bool IsFloat =
    std::is_same_v<T, F16> || std::is_same_v<T, BF16> ||
    std::is_floating_point_v<T>;

template <typename T> struct ElemOf;
#define BELAY_VALUE_TYPE(CType, Name)                                          \
  template <> struct ElemOf<CType> {                                           \
    static constexpr Elem Value = Elem::Name;                                  \
  };
BELAY_VALUE_TYPE(int8_t, S8)
BELAY_VALUE_TYPE(uint8_t, U8)
BELAY_VALUE_TYPE(int16_t, S16)
BELAY_VALUE_TYPE(uint16_t, U16)
BELAY_VALUE_TYPE(int32_t, S32)
BELAY_VALUE_TYPE(uint32_t, U32)
BELAY_VALUE_TYPE(int64_t, S64)
BELAY_VALUE_TYPE(uint64_t, U64)
BELAY_VALUE_TYPE(F16, F16)
BELAY_VALUE_TYPE(BF16, BF16)
BELAY_VALUE_TYPE(float, F32)
BELAY_VALUE_TYPE(double, F64)
#undef BELAY_VALUE_TYPE

/// Integers wrap on the device; in C++ only unsigned ones may.
template <typename T> constexpr auto wrap(T V) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::make_unsigned_t<T>>(V);
  else
    return V;
}

} // namespace belay::sim

#endif // BELAY_SIMULATOR_INSTRUCTIONS_VALUES_H
