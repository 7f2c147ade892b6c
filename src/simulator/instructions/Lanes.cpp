//===- Lanes.cpp - Masks, repeats and strides of the vector unit -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "instructions/Lanes.h"

#include "core/Issue.h"

#include <bit>

namespace belay::sim {

namespace {

Lanes counted(uint64_t Count, uint32_t PerRepeat) {
  Lanes L = {};
  L.PerRepeat = PerRepeat;
  L.Repeats = static_cast<uint32_t>((Count + PerRepeat - 1) / PerRepeat);
  L.Active = PerRepeat;
  L.LastActive =
      L.Repeats
          ? static_cast<uint32_t>(Count - uint64_t(L.Repeats - 1) * PerRepeat)
          : 0;
  return L;
}

/// Bits that form one run from lane 0 are the common case and the fast one.
Lanes fromBits(uint64_t Low, uint64_t High, uint32_t Repeat, uint32_t PerRepeat,
               Issue &I) {
  // Narrow types have more lanes than the mask has bits; all of them share the
  // 128 bits of a 16-bit element's mask, so a full mask means all lanes.
  if (PerRepeat > 128 && Low == ~uint64_t(0) && High == ~uint64_t(0)) {
    Lanes L = counted(uint64_t(PerRepeat) * Repeat, PerRepeat);
    return L;
  }
  uint64_t Mask[2] = {Low, High};
  if (PerRepeat < 128)
    Mask[1] = 0;
  if (PerRepeat < 64)
    Mask[0] &= (uint64_t(1) << PerRepeat) - 1;
  if (!Mask[0] && !Mask[1] && Repeat)
    fail("bad-mask", I.pc(), "set at least one bit of the mask",
         "%s has a mask that selects no lane", I.name());
  Lanes L = {};
  L.PerRepeat = PerRepeat;
  L.Repeats = Repeat;
  L.Mask[0] = Mask[0];
  L.Mask[1] = Mask[1];
  L.Active = Mask[1] ? 128 - static_cast<uint32_t>(std::countl_zero(Mask[1]))
                     : 64 - static_cast<uint32_t>(std::countl_zero(Mask[0]));
  L.LastActive = L.Active;
  L.Sparse = static_cast<uint32_t>(std::popcount(Mask[0]) +
                                   std::popcount(Mask[1])) != L.Active;
  return L;
}

Lanes fromPrefix(uint64_t Count, uint32_t Repeat, uint32_t PerRepeat,
                 Issue &I) {
  if (Count > PerRepeat)
    fail("bad-mask", I.pc(),
         "use at most one repeat's lanes, or the count form of the API",
         "%s has a mask of %llu lanes, but a repeat has %u", I.name(),
         static_cast<unsigned long long>(Count), PerRepeat);
  if (Count == 0 && Repeat)
    fail("bad-mask", I.pc(), "set at least one lane",
         "%s has a mask that selects no lane", I.name());
  Lanes L = {};
  L.PerRepeat = PerRepeat;
  L.Repeats = Repeat;
  L.Active = L.LastActive = static_cast<uint32_t>(Count);
  return L;
}

} // namespace

Lanes Lanes::resolve(const Walk &W, uint32_t Widest, Issue &I) {
  const Registers &R = I.core().Regs;
  uint32_t PerRepeat = RepeatBytes / Widest;
  switch (W.Mode) {
  case MaskMode::Count:
    return counted(W.Mask[0], PerRepeat);
  case MaskMode::Bits:
    return R.MaskCounter
               ? counted(W.Mask[0], PerRepeat)
               : fromBits(W.Mask[0], W.Mask[1], W.Repeat, PerRepeat, I);
  case MaskMode::Lanes:
    return R.MaskCounter ? counted(W.Mask[0], PerRepeat)
                         : fromPrefix(W.Mask[0], W.Repeat, PerRepeat, I);
  case MaskMode::Register:
    return R.MaskCounter
               ? counted(R.MaskLow, PerRepeat)
               : fromBits(R.MaskLow, R.MaskHigh, W.Repeat, PerRepeat, I);
  }
  return {};
}

Extent extentOf(const Lanes &L, const Stride &S, uint32_t ElementBytes) {
  if (!L.Repeats)
    return {0};
  uint32_t PerRepeatBytes = L.PerRepeat * ElementBytes;
  bool Contiguous =
      S.Block == 1 && uint32_t(S.Repeat) * BlockBytes == PerRepeatBytes;
  if (Contiguous && L.Active == L.PerRepeat)
    return {L.total() * ElementBytes};
  Extent E = {};
  uint32_t Active = L.Repeats == 1 ? L.LastActive : L.Active;
  E.Repeats = L.Repeats;
  E.RepeatStride = int64_t(S.Repeat) * BlockBytes;
  if (S.Block == 1 || Active * ElementBytes <= BlockBytes) {
    E.BlockBytes = Active * ElementBytes;
    return E;
  }
  E.BlockBytes = BlockBytes;
  E.Blocks = (Active * ElementBytes + BlockBytes - 1) / BlockBytes;
  E.BlockStride = int64_t(S.Block) * BlockBytes;
  return E;
}

} // namespace belay::sim
