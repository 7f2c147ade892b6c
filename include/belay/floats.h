//===- floats.h - Conversions of small floating-point types -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only conversions of half, bfloat16 and 8-bit floats outside LLVM: the
// host twin, launchers, the simulated core and the simulated device have these.
// Where LLVM is linked, llvm::APFloat may do it; test/elements holds both
// against each other. C++17, and no more than a compiler has by itself.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_FLOATS_H
#define BELAY_FLOATS_H

#include <cstdint>

namespace belay {
namespace small_floats {

template <class To, class From> inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

//===----------------------------------------------------------------------===//
// To the nearest, ties to even. Free of branches, so that loops over them are
// vectorised. NaNs become quiet and keep what fits of their payload.
//===----------------------------------------------------------------------===//

inline std::uint16_t half_from_float(float value) {
  const std::uint32_t all = bits_as<std::uint32_t>(value);
  const std::uint32_t sign = (all >> 16) & 0x8000;
  const std::uint32_t bits = all & 0x7fffffff;
  // Below the smallest normal half, adding 0.5 lets the float adder round.
  const std::uint32_t small =
      bits_as<std::uint32_t>(bits_as<float>(bits) + 0.5f) - 0x3f000000;
  const std::uint32_t normal =
      (bits - 0x38000000 + 0xfff + ((bits >> 13) & 1)) >> 13;
  const std::uint32_t special =
      bits > 0x7f800000 ? 0x7e00 | ((bits >> 13) & 0x3ff) : 0x7c00;
  // From 2^16 on there is no half; what is less may still round to infinity.
  const std::uint32_t number = bits < 0x38800000 ? small : normal;
  const std::uint32_t result = bits >= 0x47800000 ? special : number;
  return static_cast<std::uint16_t>(sign | result);
}

inline float float_from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  const std::uint32_t rest = static_cast<std::uint32_t>(half & 0x7fff) << 13;
  // Shifting the exponent by a multiplication also normalises subnormals.
  const std::uint32_t finite =
      bits_as<std::uint32_t>(bits_as<float>(rest) * 0x1p112f);
  const std::uint32_t quiet = (half & 0x3ff) ? 0x400000 : 0;
  const bool is_special = (half & 0x7c00) == 0x7c00;
  return bits_as<float>(sign |
                        (is_special ? rest | 0x7f800000 | quiet : finite));
}

inline std::uint16_t bfloat_from_float(float value) {
  const std::uint32_t bits = bits_as<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  const std::uint32_t quiet = (bits >> 16) | 0x40;
  const bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
  return static_cast<std::uint16_t>(is_nan ? quiet : rounded);
}

/// The upper half of a float; a NaN stays what it is.
inline float float_from_bfloat(std::uint16_t bfloat) {
  return bits_as<float>(static_cast<std::uint32_t>(bfloat) << 16);
}

//===----------------------------------------------------------------------===//
// Any format, any rounding
//===----------------------------------------------------------------------===//

enum class rounding : unsigned char {
  nearest_even,
  nearest_away, ///< Ties away from zero.
  down,
  up,
  to_zero,
  to_odd, ///< To zero, and then the last bit is set if something was lost.
};

namespace detail {
/// Whether the magnitude grows, if `rest` of `unit` is lost after `kept`.
inline bool grows(rounding mode, bool negative, std::uint64_t kept,
                  std::uint64_t rest, std::uint64_t unit) {
  switch (mode) {
  case rounding::down:
    return negative && rest != 0;
  case rounding::up:
    return !negative && rest != 0;
  case rounding::nearest_away:
    return rest >= unit / 2;
  case rounding::to_zero:
    return false;
  case rounding::to_odd:
    return rest != 0 && !(kept & 1);
  case rounding::nearest_even:
    break;
  }
  return rest > unit / 2 || (rest == unit / 2 && (kept & 1));
}
/// Whether what is too large becomes the largest number, not infinity.
inline bool stays_finite(rounding mode, bool negative) {
  return mode == rounding::to_zero || mode == rounding::to_odd ||
         (mode == rounding::down && !negative) ||
         (mode == rounding::up && negative);
}
} // namespace detail

/// The bits of `value` in a format of E exponent and M mantissa bits, rounded
/// once. Without infinities the top exponent holds numbers too, up to the one
/// NaN, which is also what is too large. NaNs lose their payload.
template <int E, int M, bool Infinities = true>
std::uint32_t narrow(double value, rounding mode = rounding::nearest_even) {
  constexpr std::uint64_t hidden = std::uint64_t(1) << 52;
  constexpr std::uint32_t top = ((1u << E) - 1) << M;
  constexpr std::uint32_t overflow = Infinities ? top : top | ((1u << M) - 1);
  constexpr std::uint32_t nan = Infinities ? top | 1u << (M - 1) : overflow;
  const std::uint64_t all = bits_as<std::uint64_t>(value);
  const std::uint64_t bits = all & (2048 * hidden - 1);
  const bool negative = bits != all;
  const std::uint32_t sign = negative ? 1u << (E + M) : 0;
  if (bits > 2047 * hidden)
    return sign | nan;
  if (bits == 2047 * hidden)
    return sign | overflow;
  int exponent = static_cast<int>(bits >> 52) - 1023;
  std::uint64_t mantissa = bits & (hidden - 1);
  if (exponent == -1023)
    exponent = -1022;
  else
    mantissa |= hidden;
  const int target = exponent + (1 << (E - 1)) - 1;
  int shift = 52 - M + (target <= 0 ? 1 - target : 0);
  shift = shift > 63 ? 63 : shift;
  const std::uint64_t unit = std::uint64_t(1) << shift;
  const std::uint64_t kept = mantissa >> shift, rest = mantissa & (unit - 1);
  std::uint64_t result = kept + detail::grows(mode, negative, kept, rest, unit);
  if (target > 0)
    result += static_cast<std::uint64_t>(target - 1) << M;
  if (result >= overflow)
    return sign |
           (detail::stays_finite(mode, negative) ? overflow - 1 : overflow);
  return sign | static_cast<std::uint32_t>(result);
}

/// The value of the bits of a format of at most 8 exponent and 23 mantissa
/// bits. Exact; every NaN becomes the quiet one without payload.
template <int E, int M, bool Infinities = true>
float widen(std::uint32_t bits) {
  static_assert(E <= 8 && M <= 23, "a float holds all of its values");
  constexpr std::uint32_t top = ((1u << E) - 1) << M;
  constexpr std::uint32_t nan = Infinities ? top | 1 : top | ((1u << M) - 1);
  constexpr int bias = (1 << (E - 1)) - 1;
  const std::uint32_t sign = (bits >> (E + M) & 1) << 31;
  const std::uint32_t rest = bits & ((1u << (E + M)) - 1);
  if (rest >= nan)
    return bits_as<float>(sign | 0x7fc00000);
  if (Infinities && rest == top)
    return bits_as<float>(sign | 0x7f800000);
  // As a float with the exponent of the format, then moved to its place.
  const float scaled = bits_as<float>(rest << (23 - M));
  const float power =
      bits_as<float>(static_cast<std::uint32_t>(254 - bias) << 23);
  const float size = E == 8 ? scaled : scaled * power;
  return bits_as<float>(sign | bits_as<std::uint32_t>(size));
}

} // namespace small_floats
} // namespace belay

#endif // BELAY_FLOATS_H
