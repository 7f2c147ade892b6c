//===- Bits.h - One bit per lane --------------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compare writes bits and Select reads them. In between they are bytes, one per
// lane of every repeat, so that both are plain loops.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_BITS_H
#define BELAY_MODEL_INSTRUCTIONS_BITS_H

#include "model/instructions/Lanes.h"

#include <vector>

namespace belay::sim {

/// One byte, 0 or 1, per lane; lanes of consecutive repeats follow each other.
class LaneFlags {
public:
  /// The operands lie in a memory: there are not more lanes than that has.
  explicit LaneFlags(const Lanes &L)
      : PerRepeat(L.PerRepeat), Bytes(storage()) {
    Bytes.assign(size_t(L.PerRepeat) * L.Repeats, 0);
  }
  uint8_t *data() { return Bytes.data(); }
  size_t size() const { return Bytes.size(); }
  /// How forEachRun walks over the flags.
  Stride stride() const {
    return {1, static_cast<uint16_t>(PerRepeat / BlockBytes)};
  }

  /// Writes the first N flags as bits, low bit first; bits above N in the last
  /// byte are 0.
  void pack(uint8_t *Dst, size_t N) const {
    for (size_t Byte = 0; Byte * 8 < N; ++Byte) {
      unsigned Packed = 0;
      for (size_t K = 0; K < 8 && Byte * 8 + K < N; ++K)
        Packed |= unsigned(Bytes[Byte * 8 + K]) << K;
      Dst[Byte] = static_cast<uint8_t>(Packed);
    }
  }
  /// The reverse, from Available bits; with a Period the same bits serve again
  /// and again.
  void unpack(const uint8_t *Src, size_t Period, size_t Available) {
    for (size_t N = 0; N < Bytes.size(); ++N) {
      size_t Bit = Period ? N % Period : N;
      if (Bit < Available)
        Bytes[N] = Src[Bit / 8] >> Bit % 8 & 1;
    }
  }

private:
  /// Kept from call to call: a kernel compares in loops.
  static std::vector<uint8_t> &storage() {
    static thread_local std::vector<uint8_t> Storage;
    return Storage;
  }
  uint32_t PerRepeat;
  std::vector<uint8_t> &Bytes;
};

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_BITS_H
