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

#include "abi/Functions.h"
#include "belay/floats.h"

#include <cstdint>
#include <cstring>

static __bf16 fromBits(uint16_t Bits) {
  __bf16 Result;
  std::memcpy(&Result, &Bits, sizeof(Result));
  return Result;
}

extern "C" {
BELAY_SIM_CALL __bf16 __truncsfbf2(float Value) {
  return fromBits(belay::small_floats::bfloat_from_float(Value));
}
BELAY_SIM_CALL __bf16 __truncdfbf2(double Value) {
  return fromBits(
      static_cast<uint16_t>(belay::small_floats::narrow<8, 7>(Value)));
}
}
