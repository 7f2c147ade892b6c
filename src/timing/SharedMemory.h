//===- SharedMemory.h - Bandwidth that cores share --------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_SHAREDMEMORY_H
#define BELAY_TIMING_SHAREDMEMORY_H

#include "timing/Costs.h"
#include "timing/Step.h"

#include <algorithm>
#include <vector>

namespace belay::timing {

/// A rate in bytes for each cycle that transfers take in the order in which
/// they come. Time is divided into slices, each with a capacity: a transfer may
/// come later than another that starts after it, and finds what was left over.
class SharedRate {
public:
  explicit SharedRate(double BytesPerCycle) : Rate(BytesPerCycle) {}

  /// When a transfer that starts at Start ends, if its core moves at most
  /// CoreRate.
  double reserve(double Start, double Bytes, double CoreRate) {
    double Now = Start;
    auto Slice = static_cast<size_t>(Start / SliceCycles);
    for (;; ++Slice, Now = static_cast<double>(Slice) * SliceCycles) {
      if (Slice >= Used.size())
        Used.resize(std::max(Slice + 1, Used.size() * 2), 0.0f);
      double Left = Rate * SliceCycles - static_cast<double>(Used[Slice]);
      double End = static_cast<double>(Slice + 1) * SliceCycles;
      double Take = std::min({Bytes, Left, (End - Now) * CoreRate});
      if (Take <= 0)
        continue;
      Used[Slice] += static_cast<float>(Take);
      Bytes -= Take;
      if (Bytes <= 0.5)
        return Now + Take / std::min(CoreRate, Rate);
    }
  }

private:
  static constexpr double SliceCycles = 256;
  double Rate;
  std::vector<float> Used; // bytes of each slice
};

/// Which bytes of global memory are in L2: those that were touched since
/// L2Bytes of others were.
class L2Contents {
public:
  static constexpr uint64_t LineBytes = 128;

  L2Contents(uint64_t L2Bytes, uint64_t GlobalBytes)
      : L2Lines(L2Bytes / LineBytes), Last(GlobalBytes / LineBytes + 1, 0) {}

  /// The bytes of [Address, Address + Bytes) that are there; then all are.
  uint64_t touch(uint64_t Address, uint64_t Bytes, bool Bypass) {
    uint64_t Hits = 0, End = Address + Bytes;
    for (uint64_t At = Address; At < End;) {
      uint64_t Line = At / LineBytes;
      if (Line >= Last.size())
        break;
      uint64_t Part = std::min(End, (Line + 1) * LineBytes) - At;
      uint32_t &When = Last[Line];
      bool There = When && Clock + 1 - When < L2Lines;
      Hits += There ? Part : 0;
      if (!Bypass) {
        Clock += There ? 0 : 1;
        When = Clock + 1;
      }
      At += Part;
    }
    return Hits;
  }

private:
  uint64_t L2Lines;
  uint32_t Clock = 0; // lines that have come in
  std::vector<uint32_t> Last;
};

} // namespace belay::timing

#endif // BELAY_TIMING_SHAREDMEMORY_H
