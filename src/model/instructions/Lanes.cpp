//===- Lanes.cpp - Masks, repeats and strides of the vector unit ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Lanes.h"

#include "abi/Wording.h"
#include "model/core/Issue.h"

#include <bit>

namespace belay::sim {

Lanes Lanes::counted(uint64_t Count, uint32_t PerRepeat) {
  Lanes L = {};
  L.PerRepeat = PerRepeat;
  L.Repeats = divideUp(Count, PerRepeat);
  L.Active = PerRepeat;
  L.LastActive =
      L.Repeats ? static_cast<uint32_t>(Count - (L.Repeats - 1) * PerRepeat)
                : 0;
  return L;
}

Lanes Lanes::all(uint64_t Repeats, uint32_t Widest) {
  uint32_t PerRepeat = RepeatBytes / Widest;
  return counted(product(PerRepeat, Repeats), PerRepeat);
}

namespace {

/// No lane at all: the instruction is as if it were not there, where such a
/// mask exists.
Lanes none(uint32_t PerRepeat, Issue &I) {
  if (!I.core().arch().hasEmptyMask)
    fail("bad-mask", I.pc(), "set at least one bit of the mask",
         "%s has a mask that selects no lane", I.name());
  return Lanes::counted(0, PerRepeat);
}

/// Bits that form one run from lane 0 are the common case and the fast one.
Lanes fromBits(uint64_t Low, uint64_t High, uint32_t Repeat, uint32_t PerRepeat,
               Issue &I) {
  // Narrow types have more lanes than the mask has bits; all of them share the
  // 128 bits of a 16-bit element's mask, so a full mask means all lanes.
  if (PerRepeat > 128 && Low == ~uint64_t(0) && High == ~uint64_t(0)) {
    return Lanes::counted(uint64_t(PerRepeat) * Repeat, PerRepeat);
  }
  uint64_t Mask[2] = {Low, High};
  if (PerRepeat < 128)
    Mask[1] = 0;
  if (PerRepeat < 64)
    Mask[0] &= (uint64_t(1) << PerRepeat) - 1;
  if (!Mask[0] && !Mask[1])
    return none(PerRepeat, I);
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
  if (Count > PerRepeat) {
    const wording::Text T =
        wording::badMask(I.name(), std::to_string(Count), PerRepeat);
    fail("bad-mask", I.pc(), T.Hint.c_str(), "%s", T.Message.c_str());
  }
  if (Count == 0)
    return none(PerRepeat, I);
  Lanes L = {};
  L.PerRepeat = PerRepeat;
  L.Repeats = Repeat;
  L.Active = L.LastActive = static_cast<uint32_t>(Count);
  return L;
}

} // namespace

/// The mask register with the first Count bits set.
static void setPrefix(Registers &R, uint64_t Count) {
  constexpr uint64_t Ones = ~uint64_t(0);
  R.MaskLow = Count >= 64 ? Ones : (uint64_t(1) << Count) - 1;
  R.MaskHigh = Count >= 128  ? Ones
               : Count >= 64 ? (uint64_t(1) << (Count - 64)) - 1
                             : 0;
}

/// The fields of the instruction are narrower than the variables of a kernel.
static void checkWalk(const Walk &W, const Issue &I) {
  if (W.Mode == MaskMode::Count && static_cast<int64_t>(W.Mask[0]) < 0)
    fail("bad-repeat", I.pc(), "clamp the count of the last tile at 0",
         "%s has a count of %lld", I.name(), static_cast<long long>(W.Mask[0]));
  if (W.Mode != MaskMode::Count && W.Repeat > MaxRepeat) {
    const wording::Text T =
        wording::badRepeat(I.name(), std::to_string(W.Repeat), MaxRepeat);
    fail("bad-repeat", I.pc(), T.Hint.c_str(), "%s", T.Message.c_str());
  }
}

/// Elements in all, as counter mode counts them.
static Lanes inCounterMode(const Walk &W, uint64_t Count, uint32_t PerRepeat,
                           Issue &I) {
  if (I.watched() && W.Mode != MaskMode::Register)
    I.core().Watcher->onCounterMode(I.record(), W.Repeat,
                                    divideUp(Count, PerRepeat));
  return Lanes::counted(Count, PerRepeat);
}

Lanes Lanes::resolve(const Walk &W, uint32_t Widest, Issue &I) {
  Registers &R = I.core().Regs;
  uint32_t PerRepeat = RepeatBytes / Widest;
  checkWalk(W, I);
  switch (W.Mode) {
  case MaskMode::Count:
    R.MaskCounter = false;
    R.MaskLow = R.MaskHigh = ~uint64_t(0);
    return counted(W.Mask[0], PerRepeat);
  case MaskMode::Lanes:
    if (R.MaskCounter) {
      R.MaskLow = W.Mask[0];
      R.MaskHigh = 0;
      return inCounterMode(W, W.Mask[0], PerRepeat, I);
    }
    setPrefix(R, W.Mask[0]);
    return fromPrefix(W.Mask[0], W.Repeat, PerRepeat, I);
  case MaskMode::Bits:
    R.MaskLow = W.Mask[0];
    R.MaskHigh = W.Mask[1];
    [[fallthrough]];
  case MaskMode::Register:
    return R.MaskCounter
               ? inCounterMode(W, R.MaskLow, PerRepeat, I)
               : fromBits(R.MaskLow, R.MaskHigh, W.Repeat, PerRepeat, I);
  }
  return {};
}

void checkDestination(const Issue &I, const Lanes &L, const Stride &S,
                      uint32_t ElementBytes) {
  if (S.Block == 0 && L.Repeats && L.Active * ElementBytes > BlockBytes)
    fail("bad-repeat", I.pc(), "give the destination a block stride of 1",
         "%s writes all blocks of a repeat to the same place: its "
         "destination's block stride is 0",
         I.name());
}

Extent extentOf(const Lanes &L, const Stride &S, uint32_t ElementBytes) {
  if (!L.Repeats)
    return {0};
  uint32_t PerRepeatBytes = L.PerRepeat * ElementBytes;
  bool Contiguous =
      S.Block == 1 && uint32_t(S.Repeat) * BlockBytes == PerRepeatBytes;
  if (Contiguous && L.Active == L.PerRepeat)
    return {product(L.total(), ElementBytes)};
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
