//===- scalars.h - Element types --------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_SCALARS_H
#define BELAY_KERNEL_SCALARS_H

#include <cstdint>
#include <type_traits>

// What the compiler reads as an operation of its own; other compilers run the
// body, which is the host twin.
#if defined(__clang__)
#define BELAY_OP(name) [[clang::annotate("belay.op:" name)]]
#else
#define BELAY_OP(name)
#endif

namespace belay {

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// An extent that is known only at the launch.
inline constexpr i64 dyn = -1;

namespace detail {

template <class To, class From> To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

/// To the nearest, ties to even; keeps infinities, quiets NaNs.
inline std::uint16_t half_from_float(float value) {
  std::uint32_t bits = bits_as<std::uint32_t>(value);
  std::uint16_t sign = (bits >> 16) & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000)
    return sign | 0x7e00;
  if (bits >= 0x477ff000) // what rounds to 65536 and above
    return sign | 0x7c00;
  if (bits < 0x38800000) {
    // Subnormal: adding 0.5 leaves the right bits in the right place.
    float scaled = bits_as<float>(bits) + 0.5f;
    return sign | (bits_as<std::uint32_t>(scaled) - 0x3f000000);
  }
  std::uint32_t odd = (bits >> 13) & 1;
  return sign | ((bits - 0x38000000 + 0xfff + odd) >> 13);
}

inline float float_from_half(std::uint16_t half) {
  std::uint32_t sign = (half & 0x8000u) << 16, exponent = (half >> 10) & 31,
                fraction = half & 1023;
  if (exponent == 31)
    return bits_as<float>(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) {
    float value = fraction * 0x1p-24f;
    return sign ? -value : value;
  }
  return bits_as<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

inline std::uint16_t bfloat_from_float(float value) {
  std::uint32_t bits = bits_as<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (bits >> 16) | 0x40;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

} // namespace detail

/// IEEE binary16. Arithmetic is in float and rounds when it is stored, once for
/// each operation, as the vector unit does.
class half {
public:
  half() = default;
  BELAY_OP("scalar.half")
  half(float value) : bits_(detail::half_from_float(value)) {}
  BELAY_OP("scalar.float")
  operator float() const { return detail::float_from_half(bits_); }

private:
  std::uint16_t bits_;
};

/// The upper half of a float.
class bfloat16 {
public:
  bfloat16() = default;
  BELAY_OP("scalar.bfloat16")
  bfloat16(float value) : bits_(detail::bfloat_from_float(value)) {}
  BELAY_OP("scalar.float")
  operator float() const {
    return detail::bits_as<float>(std::uint32_t(bits_) << 16);
  }

private:
  std::uint16_t bits_;
};

template <class T>
inline constexpr bool is_float =
    std::is_same_v<T, float> || std::is_same_v<T, half> ||
    std::is_same_v<T, bfloat16>;
template <class T>
inline constexpr bool is_int =
    std::is_same_v<T, i8> || std::is_same_v<T, i16> || std::is_same_v<T, i32> ||
    std::is_same_v<T, i64>;

template <class T>
concept floating = is_float<T>;
template <class T>
concept integral = is_int<T>;
template <class T>
concept number = is_float<T> || is_int<T>;
/// What a tile may hold.
template <class T>
concept element = number<T> || std::is_same_v<T, bool>;

BELAY_OP("scalar.min") constexpr i64 min(i64 a, i64 b) { return a < b ? a : b; }
BELAY_OP("scalar.max") constexpr i64 max(i64 a, i64 b) { return a < b ? b : a; }
BELAY_OP("scalar.min") constexpr float min(float a, float b) {
  return a < b ? a : b;
}
BELAY_OP("scalar.max") constexpr float max(float a, float b) {
  return a < b ? b : a;
}
constexpr i64 ceil_div(i64 a, i64 b) { return (a + b - 1) / b; }

} // namespace belay

#endif // BELAY_KERNEL_SCALARS_H
