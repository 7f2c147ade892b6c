//===- CompilerSupport.cpp - What Clang expects to find -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar arithmetic on bfloat16_t in a kernel becomes calls of these; GCC's
// support library has them only since version 13.
//
//===----------------------------------------------------------------------===//

#include "abi/Instructions.h"

#include <cstdint>
#include <cstring>

/// Rounds to nearest, ties to even; a NaN stays one.
static uint16_t roundToBf16(float Value) {
  uint32_t Bits;
  std::memcpy(&Bits, &Value, sizeof(Bits));
  if (Value != Value)
    return static_cast<uint16_t>(Bits >> 16 | 0x40);
  return static_cast<uint16_t>((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16);
}

static __bf16 fromBits(uint16_t Bits) {
  __bf16 Result;
  std::memcpy(&Result, &Bits, sizeof(Result));
  return Result;
}

/// To float without losing what decides a later rounding: to odd.
static float roundToOdd(double Value) {
  auto Single = static_cast<float>(Value);
  if (static_cast<double>(Single) == Value || Value != Value)
    return Single;
  uint32_t Bits;
  std::memcpy(&Bits, &Single, sizeof(Bits));
  bool TooFar = (static_cast<double>(Single) > Value) == (Value > 0);
  if (TooFar) // step back towards zero, then mark that something was lost
    --Bits;
  Bits |= 1;
  std::memcpy(&Single, &Bits, sizeof(Single));
  return Single;
}

extern "C" {
BELAY_SIM_CALL __bf16 __truncsfbf2(float Value) {
  return fromBits(roundToBf16(Value));
}
BELAY_SIM_CALL __bf16 __truncdfbf2(double Value) {
  return fromBits(roundToBf16(roundToOdd(Value)));
}
}
