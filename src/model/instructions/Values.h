//===- Values.h - Element types inside the model ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_VALUES_H
#define BELAY_MODEL_INSTRUCTIONS_VALUES_H

#include "abi/Types.h"
#include "belay/elements.h"
#include "belay/floats.h"

#include <bit>
#include <type_traits>

namespace belay::sim {

using F16 = _Float16;

/// bfloat16 as its bits. The compiler's own type goes through a library call
/// for every rounding on CPUs without the instruction; this one vectorises.
struct BF16 {
  uint16_t Bits;

  BF16() = default;
  explicit BF16(float F) : Bits(small_floats::bfloat_from_float(F)) {}
  operator float() const { return small_floats::float_from_bfloat(Bits); }
};

} // namespace belay::sim

namespace belay::element_types {
template <> inline constexpr id element_of<sim::F16> = id::F16;
template <> inline constexpr id element_of<sim::BF16> = id::BF16;
} // namespace belay::element_types

namespace belay::sim {

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

/// The element that a type of values is.
template <typename T> struct ElemOf {
  static constexpr Elem Value = [] {
    switch (element_types::element_of<T>) {
#define BELAY_ELEMENT_KERNEL(Id, Type, Dump)                                   \
  case element_types::id::Id:                                                  \
    return Elem::Id;
#include "belay/elements.def"
    default: // no value of the model: stops the compiler
      __builtin_unreachable();
    }
  }();
};

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

/// An intermediate result in the type of the elements: the examples of the
/// API's documents round the product of a fused multiply-add.
template <typename T, typename V> constexpr Wide<T> rounded(V Value) {
  return static_cast<Wide<T>>(static_cast<T>(Value));
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
