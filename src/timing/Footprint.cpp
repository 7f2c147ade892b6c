//===- Footprint.cpp - Bytes of global memory, moved and needed -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Footprint.h"

#include <algorithm>

namespace belay::timing {

namespace {

/// A bit for each block of 32 bytes.
class Blocks {
public:
  explicit Blocks(uint64_t Bytes) : Words(Bytes / 32 / 64 + 2, 0) {}

  /// Marks the blocks of [Address, Address + Bytes).
  void mark(uint64_t Address, uint64_t Bytes) {
    if (!Bytes)
      return;
    uint64_t First = Address / 32, Last = (Address + Bytes - 1) / 32;
    if (Last / 64 >= Words.size())
      return;
    uint64_t FirstMask = ~uint64_t(0) << First % 64;
    uint64_t LastMask = ~uint64_t(0) >> (63 - Last % 64);
    if (First / 64 == Last / 64) {
      Words[First / 64] |= FirstMask & LastMask;
      return;
    }
    Words[First / 64] |= FirstMask;
    std::fill(Words.begin() + static_cast<long>(First / 64 + 1),
              Words.begin() + static_cast<long>(Last / 64), ~uint64_t(0));
    Words[Last / 64] |= LastMask;
  }
  uint64_t bytes() const {
    uint64_t Sum = 0;
    for (uint64_t W : Words)
      Sum += static_cast<uint64_t>(__builtin_popcountll(W)) * 32;
    return Sum;
  }

private:
  std::vector<uint64_t> Words;
};

} // namespace

Footprint footprintOf(const std::vector<Stream> &Cores, uint64_t GlobalBytes) {
  Footprint F;
  F.GlobalBytes = GlobalBytes;
  Blocks Read(GlobalBytes), Written(GlobalBytes), Resident(GlobalBytes);
  for (const Stream &Core : Cores)
    for (const Step &S : Core.Steps) {
      if (S.Kind != StepKind::GlobalCopy && S.Kind != StepKind::ScalarGlobal)
        continue;
      (S.Write ? F.Written : F.Read) += S.Bytes;
      uint64_t Burst = S.Bytes / std::max(1u, S.Bursts);
      for (uint32_t N = 0; N < S.Bursts; ++N) {
        uint64_t At = S.Address + uint64_t(N) * S.Pitch;
        (S.Write ? Written : Read).mark(At, Burst);
        if (!S.Bypass)
          Resident.mark(At, Burst);
      }
    }
  F.LeastRead = std::min(F.Read, Read.bytes());
  F.LeastWritten = std::min(F.Written, Written.bytes());
  F.Resident = Resident.bytes();
  F.Reuse = F.Read + F.Written != F.Resident;
  return F;
}

} // namespace belay::timing
