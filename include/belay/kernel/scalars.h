//===- scalars.h - Element types --------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_KERNEL_SCALARS_H
#define BELAY_KERNEL_SCALARS_H

#include "belay/floats.h"

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

/// IEEE binary16. Arithmetic is in float and rounds when it is stored, once for
/// each operation, as the vector unit does.
class half {
public:
  half() = default;
  BELAY_OP("scalar.half")
  half(float value) : bits_(small_floats::half_from_float(value)) {}
  BELAY_OP("scalar.float")
  operator float() const { return small_floats::float_from_half(bits_); }

private:
  std::uint16_t bits_;
};

/// The upper half of a float.
class bfloat16 {
public:
  bfloat16() = default;
  BELAY_OP("scalar.bfloat16")
  bfloat16(float value) : bits_(small_floats::bfloat_from_float(value)) {}
  BELAY_OP("scalar.float")
  operator float() const { return small_floats::float_from_bfloat(bits_); }

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
/// NaN if one of them is, as of tiles.
BELAY_OP("scalar.min") constexpr float min(float a, float b) {
  return b < a || b != b ? b : a;
}
BELAY_OP("scalar.max") constexpr float max(float a, float b) {
  return a < b || b != b ? b : a;
}
constexpr i64 ceil_div(i64 a, i64 b) { return (a + b - 1) / b; }

} // namespace belay

#endif // BELAY_KERNEL_SCALARS_H
