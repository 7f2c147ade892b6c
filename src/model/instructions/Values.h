//===- Values.h - Element types inside the model ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_VALUES_H
#define BELAY_MODEL_INSTRUCTIONS_VALUES_H

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

/// Integers wrap on the device; in C++ only unsigned ones may, and short ones
/// would be promoted to signed ones first.
template <typename T> constexpr auto wrap(T V) {
  if constexpr (!std::is_integral_v<T>)
    return V;
  else if constexpr (sizeof(T) < sizeof(uint32_t))
    return static_cast<uint32_t>(static_cast<std::make_unsigned_t<T>>(V));
  else
    return static_cast<std::make_unsigned_t<T>>(V);
}

/// Quotients truncate; what has no quotient is 0, and the one that overflows
/// wraps.
template <typename T> T divide(T A, T B) {
  if constexpr (std::is_integral_v<T>) {
    if (B == 0)
      return 0;
    if constexpr (std::is_signed_v<T>)
      if (B == -1)
        return static_cast<T>(std::make_unsigned_t<T>(0) -
                              static_cast<std::make_unsigned_t<T>>(A));
    return static_cast<T>(A / B);
  } else {
    return A / B;
  }
}

/// Signed numbers keep their sign and shift the other bits; so the reference
/// has it. Shifts by the width or more empty what they shift.
template <typename T> T shiftLeft(T A, uint64_t By) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned Bits = sizeof(T) * 8;
  U Shifted =
      By >= Bits ? U(0) : static_cast<U>(uint64_t(static_cast<U>(A)) << By);
  if constexpr (std::is_signed_v<T>) {
    constexpr U Sign = U(U(1) << (Bits - 1));
    return static_cast<T>(U(Shifted & U(~Sign)) | U(static_cast<U>(A) & Sign));
  }
  return static_cast<T>(Shifted);
}

/// Arithmetic for signed numbers, logical for the others.
template <typename T> T shiftRight(T A, uint64_t By) {
  constexpr unsigned Bits = sizeof(T) * 8;
  if (By >= Bits)
    return A < 0 ? static_cast<T>(-1) : T(0);
  return static_cast<T>(A >> By);
}

/// Adds the last bit that was shifted out.
template <typename T> T shiftRightRounded(T A, uint64_t By) {
  if (By == 0)
    return A;
  auto Last = static_cast<unsigned>(shiftRight(A, By - 1)) & 1;
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(
      static_cast<U>(static_cast<U>(shiftRight(A, By)) + Last));
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_VALUES_H
