//===- Elementwise.cpp - What element-wise results go through -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ElementFunctions.h"

namespace belay::sim {

/// Works on the bits: Exponent is the exponent's mask, Largest the largest
/// finite value.
static void saturateBits(uint16_t *Dst, size_t N, uint16_t Exponent,
                         uint16_t Largest) {
  constexpr uint16_t Sign = 0x8000;
  for (size_t I = 0; I < N; ++I) {
    uint16_t Magnitude = Dst[I] & static_cast<uint16_t>(~Sign);
    if (Magnitude == Exponent)
      Dst[I] = static_cast<uint16_t>((Dst[I] & Sign) | Largest);
    else if (Magnitude > Exponent)
      Dst[I] = 0;
  }
}

void saturateLanes(void *Dst, size_t N, Elem T) {
  if (T == Elem::F16)
    saturateBits(static_cast<uint16_t *>(Dst), N, 0x7c00, 0x7bff);
  else if (T == Elem::BF16)
    saturateBits(static_cast<uint16_t *>(Dst), N, 0x7f80, 0x7f7f);
}

/// Whether one of them is infinite or no number.
static bool overflowed(const uint16_t *Bits, size_t N, uint16_t Exponent) {
  bool Any = false;
  for (size_t I = 0; I < N; ++I)
    Any |= (Bits[I] & Exponent) == Exponent;
  return Any;
}

void saturateFloats(const Registers &R, const Lanes &L, const Stride &S,
                    void *Dst, Elem T) {
  const VectorRegisters &V = R.Vector;
  if ((!V.SaturateFloat && !V.Overflowed) ||
      (T != Elem::F16 && T != Elem::BF16))
    return;
  const uint16_t Exponent = T == Elem::F16 ? 0x7c00 : 0x7f80;
  Stride Strides[1] = {S};
  forEachRun<1>(L, Strides, {2}, [&](const uint64_t (&O)[1], size_t N) {
    auto *Bits = reinterpret_cast<uint16_t *>(at(Dst, O[0]));
    if (V.Overflowed && overflowed(Bits, N, Exponent))
      *V.Overflowed = true;
    if (V.SaturateFloat)
      saturateLanes(Bits, N, T);
  });
}

} // namespace belay::sim
