//===- Amounts.h - Numbers that a kernel chose ------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts, sizes and strides are chosen by a kernel, which may be wrong or
// hostile. They are multiplied here, where what is too large to be true stays
// too large, so that one comparison with the size of a memory is enough.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_CORE_AMOUNTS_H
#define BELAY_MODEL_CORE_AMOUNTS_H

#include <algorithm>
#include <concepts>
#include <cstdint>

namespace belay::sim {

/// More than any memory has. A few of these can be added in 64 bits.
inline constexpr uint64_t TooMuch = uint64_t(1) << 60;

/// The product, or TooMuch if that is less.
template <std::unsigned_integral... Ts>
constexpr uint64_t product(uint64_t First, Ts... Factors) {
  uint64_t Result = First;
  bool Lost = false;
  ((Lost |= __builtin_mul_overflow(Result, uint64_t(Factors), &Result)), ...);
  if (__builtin_expect(!Lost, 1))
    return std::min(Result, TooMuch);
  // Nothing, however often, is nothing.
  return ((Factors == 0) || ...) ? 0 : TooMuch;
}

constexpr uint64_t divideUp(uint64_t N, uint64_t By) {
  return N / By + (N % By != 0);
}

/// An address that nobody has compared with a memory yet; pointers must not
/// leave their object.
inline uint8_t *offsetBy(void *P, uint64_t Bytes) {
  return reinterpret_cast<uint8_t *>(reinterpret_cast<uintptr_t>(P) + Bytes);
}
inline const uint8_t *offsetBy(const void *P, uint64_t Bytes) {
  return offsetBy(const_cast<void *>(P), Bytes);
}

} // namespace belay::sim

#endif // BELAY_MODEL_CORE_AMOUNTS_H
