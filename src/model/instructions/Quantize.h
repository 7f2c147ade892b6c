//===- Quantize.h - What happens to numbers on their way out of L0C -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_QUANTIZE_H
#define BELAY_MODEL_INSTRUCTIONS_QUANTIZE_H

#include "abi/Cube.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace belay::sim {

/// The 64-bit word that describes one quantisation: a float in the low half,
/// then a shift, an offset and signs.
struct QuantWord {
  float Scale;
  bool ShiftFirst; // shift right and saturate to 16 bits before scaling
  uint32_t Shift;  // 1 to 16
  int32_t Offset;  // 9 bits, signed
  bool Signed;

  explicit QuantWord(uint64_t Bits)
      : Scale(std::bit_cast<float>(static_cast<uint32_t>(Bits))),
        ShiftFirst(Bits >> 36 & 1), Shift((Bits >> 32 & 15) + 1),
        Offset(static_cast<int32_t>((Bits >> 37 & 0x1ff) << 23) >> 23),
        Signed(Bits >> 46 & 1) {}

  /// The fixpipe multiplies by 10 bits of mantissa.
  float shortScale() const {
    return std::bit_cast<float>(std::bit_cast<uint32_t>(Scale) & ~0x1fffu);
  }

  int32_t shifted(int32_t V) const {
    return ShiftFirst ? std::clamp(V >> Shift, -32768, 32767) : V;
  }

  /// A scaled value as a byte: rounded, offset, saturated.
  uint8_t toByte(float Scaled) const {
    float Near = Scaled != Scaled
                     ? 0
                     : std::nearbyintf(std::clamp(Scaled, -256.0F, 255.0F));
    int32_t Moved = static_cast<int32_t>(Near) + Offset;
    return static_cast<uint8_t>(Signed ? std::clamp(Moved, -128, 127)
                                       : std::clamp(Moved, 0, 255));
  }
};

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_QUANTIZE_H
