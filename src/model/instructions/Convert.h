//===- Convert.h - One value from one type to another -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every source but 64-bit integers fits into a double without loss, so a
// conversion is a double, rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_CONVERT_H
#define BELAY_MODEL_INSTRUCTIONS_CONVERT_H

#include "abi/Instructions.h"
#include "model/instructions/Values.h"

#include <bit>
#include <cmath>
#include <limits>

namespace belay::sim {

/// To an integral value. CAST_NONE means CAST_RINT where something is lost.
template <Rounding Mode> double roundTo(double X) {
  if constexpr (Mode == Rounding::Floor)
    return std::floor(X);
  else if constexpr (Mode == Rounding::Ceil)
    return std::ceil(X);
  else if constexpr (Mode == Rounding::Round)
    return std::round(X);
  else if constexpr (Mode == Rounding::Trunc)
    return std::trunc(X);
  else
    return std::nearbyint(X);
}

inline double roundTo(double X, Rounding Mode) {
  switch (Mode) {
  case Rounding::Floor:
    return roundTo<Rounding::Floor>(X);
  case Rounding::Ceil:
    return roundTo<Rounding::Ceil>(X);
  case Rounding::Round:
    return roundTo<Rounding::Round>(X);
  case Rounding::Trunc:
    return roundTo<Rounding::Trunc>(X);
  default:
    return roundTo<Rounding::Rint>(X);
  }
}

/// An integral double as an integer: clamped to the range of T, or cut down to
/// its low bits. NaN is 0.
template <typename T> T toInteger(double X, bool Saturate) {
  constexpr double Low = static_cast<double>(std::numeric_limits<T>::min());
  // One above the largest: the largest 64-bit integer is no double.
  constexpr double End =
      2 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
  if (Saturate)
    return X != X       ? T(0)
           : X < Low    ? std::numeric_limits<T>::min()
           : !(X < End) ? std::numeric_limits<T>::max()
                        : static_cast<T>(X);
  constexpr double Word = 9223372036854775808.0;
  return X >= -Word && X < Word ? static_cast<T>(static_cast<int64_t>(X))
                                : T(0);
}

template <typename T> T toInteger(int64_t X, bool Saturate) {
  if (Saturate) {
    if (X < static_cast<int64_t>(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    if (X > static_cast<int64_t>(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
  }
  return static_cast<T>(X);
}

/// A 64-bit integer as a double whose last bit is sticky: rounding it further,
/// to a type of fewer than 52 bits, gives what rounding the integer would.
inline double stickyDouble(int64_t X) {
  uint64_t Magnitude =
      X < 0 ? uint64_t(0) - static_cast<uint64_t>(X) : static_cast<uint64_t>(X);
  int Extra = 11 - std::countl_zero(Magnitude | 1);
  if (Extra > 0) {
    uint64_t Lost = Magnitude & ((uint64_t(1) << Extra) - 1);
    Magnitude = (Magnitude >> Extra | (Lost != 0)) << Extra;
  }
  double D = static_cast<double>(Magnitude);
  return X < 0 ? -D : D;
}

/// CAST_NONE means CAST_RINT here, too.
constexpr small_floats::rounding toFloatMode(Rounding Mode) {
  switch (Mode) {
  case Rounding::Floor:
    return small_floats::rounding::down;
  case Rounding::Ceil:
    return small_floats::rounding::up;
  case Rounding::Round:
    return small_floats::rounding::nearest_away;
  case Rounding::Trunc:
    return small_floats::rounding::to_zero;
  case Rounding::Odd:
    return small_floats::rounding::to_odd;
  default:
    return small_floats::rounding::nearest_even;
  }
}

/// A double as a float type, rounded once.
template <typename T> T toFloat(double X, Rounding Mode) {
  if constexpr (std::is_same_v<T, double>)
    return X;
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(
        small_floats::narrow<8, 23>(X, toFloatMode(Mode)));
  else if constexpr (std::is_same_v<T, F16>)
    return std::bit_cast<F16>(static_cast<uint16_t>(
        small_floats::narrow<5, 10>(X, toFloatMode(Mode))));
  else
    return std::bit_cast<BF16>(static_cast<uint16_t>(
        small_floats::narrow<8, 7>(X, toFloatMode(Mode))));
}

/// X as a T in one step, by the rules of Cast.
template <typename T, typename S>
T convert(S X, Rounding Mode, bool Saturate = true) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<S>)
    return toInteger<T>(static_cast<int64_t>(X), Saturate);
  else if constexpr (std::is_integral_v<T>)
    return toInteger<T>(roundTo(static_cast<double>(X), Mode), Saturate);
  else if constexpr (std::is_same_v<S, int64_t>)
    return std::is_same_v<T, double> ? static_cast<T>(X)
                                     : toFloat<T>(stickyDouble(X), Mode);
  else
    return toFloat<T>(static_cast<double>(X), Mode);
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_CONVERT_H
