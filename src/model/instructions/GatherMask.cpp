//===- GatherMask.cpp - Elements whose bit is set, side by side -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Gather.h"
#include "model/instructions/Elementwise.h"
#include "model/instructions/ListChecks.h"

#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

/// How often how many elements are looked at.
struct Repeats {
  uint64_t Count; // repeats
  uint32_t Each;  // elements of each but the last
  uint32_t Last;  // elements of the last
};

Repeats repeatsOf(const MaskGather &G, const targets::Arch &Arch) {
  uint32_t PerRepeat = RepeatBytes / bytesOf(G.T);
  if (!G.Counter)
    return {G.Repeat, PerRepeat, PerRepeat};
  // The mask counts the elements of a repeat, or all.
  if (!Arch.gatherMaskCountsAll)
    return {G.Repeat, G.Count, G.Count};
  uint32_t Repeats = (G.Count - 1) / PerRepeat + 1;
  return {Repeats, PerRepeat, G.Count - (Repeats - 1) * PerRepeat};
}

bool keptByBuiltIn(uint8_t Pattern, uint32_t I) {
  switch (Pattern) {
  case 1:
  case 2:
    return I % 2 == Pattern - 1u;
  case 7:
    return true;
  default: // 3 to 6: one of four
    return I % 4 == Pattern - 3u;
  }
}

bool keptByTensor(const uint8_t *Bits, uint32_t I) {
  return Bits[I / 8] >> (I % 8) & 1;
}

template <typename T>
std::vector<T> kept(const MaskGather &G, const Repeats &R, Issue &I) {
  constexpr uint32_t PerBlock = BlockBytes / sizeof(T);
  std::vector<T> Kept;
  Kept.reserve(size_t(R.Count) * R.Each);
  for (uint64_t N = 0; N < R.Count; ++N) {
    const uint8_t *Src = at(G.Src, N * G.SrcRepeatStride * BlockBytes);
    const uint8_t *Bits =
        G.Pattern ? at(G.Pattern, N * G.PatternRepeatStride * BlockBytes)
                  : nullptr;
    uint32_t Each = N + 1 == R.Count ? R.Last : R.Each;
    for (uint32_t K = 0; K < Each; ++K) {
      if (!(Bits ? keptByTensor(Bits, K) : keptByBuiltIn(G.BuiltIn, K)))
        continue;
      const uint8_t *From =
          Src + uint64_t(K / PerBlock) * G.SrcBlockStride * BlockBytes +
          K % PerBlock * sizeof(T);
      if (I.watched())
        I.origin(offsetBy(G.Dst, Kept.size() * sizeof(T)), sizeof(T), From,
                 sizeof(T));
      T Value;
      std::memcpy(&Value, From, sizeof(T));
      Kept.push_back(Value);
    }
  }
  return Kept;
}

/// Gathers first and writes then: the destination may be the source.
template <typename T>
uint64_t gather(const MaskGather &G, const Repeats &R, Issue &I) {
  std::vector<T> Kept = kept<T>(G, R, I);
  size_t Bytes = Kept.size() * sizeof(T);
  I.write(G.Dst, {Bytes}, G.T);
  if (Bytes)
    std::memcpy(G.Dst, Kept.data(), Bytes);
  return Kept.size();
}

void checkCall(const MaskGather &G, Issue &I) {
  const targets::Arch &Arch = I.core().arch();
  bool Has = isOneOf(
      G.T, {Elem::S16, Elem::U16, Elem::F16, Elem::S32, Elem::U32, Elem::F32});
  if (Arch.hasBf16)
    Has |= G.T == Elem::BF16;
  if (Arch.gathersBytes)
    Has |= isOneOf(G.T, {Elem::S8, Elem::U8});
  if (!Has)
    I.unsupported(G.T);
  if (G.Pattern && !(isOneOf(G.PatternT, {Elem::U8, Elem::U16, Elem::U32}) &&
                     bytesOf(G.PatternT) == bytesOf(G.T)))
    fail("unsupported-dtype", I.pc(),
         "reinterpret the pattern as the unsigned type of the element's size",
         "GatherMask of %s has no pattern of %s", nameOf(G.T),
         nameOf(G.PatternT));
  if (!G.Pattern && (G.BuiltIn < 1 || G.BuiltIn > Arch.gatherMaskPatterns))
    fail("unsupported-api", I.pc(), "pass the pattern as a tensor",
         "GatherMask has no built-in pattern %u on arch %u", G.BuiltIn,
         Arch.number);
  if (G.Counter && !G.Count)
    fail("bad-mask", I.pc(), "skip the call when there is nothing to gather",
         "GatherMask in counter mode needs a mask of at least 1");
}

void declareSources(const MaskGather &G, const Repeats &R, Issue &I) {
  uint32_t Each = R.Count == 1 ? R.Last : R.Each;
  uint64_t Bytes = uint64_t(Each) * bytesOf(G.T);
  Extent Src = {Bytes, 1, 0, R.Count, int64_t(G.SrcRepeatStride) * BlockBytes};
  if (G.SrcBlockStride != 1 && Bytes > BlockBytes) {
    Src.BlockBytes = BlockBytes;
    Src.Blocks = divideUp(Bytes, BlockBytes);
    Src.BlockStride = int64_t(G.SrcBlockStride) * BlockBytes;
  }
  I.read(G.Src, Src, G.T);
  if (!G.Pattern)
    return;
  uint32_t Word = bytesOf(G.PatternT) * 8;
  I.read(G.Pattern,
         {divideUp(Each, Word) * (Word / 8), 1, 0, R.Count,
          int64_t(G.PatternRepeatStride) * BlockBytes},
         G.PatternT);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

uint64_t belay_sim_gather_mask(const MaskGather *G) {
  Issue I("GatherMask", on::gather_mask, BELAY_PC);
  if (I.dropped())
    return 0;
  checkCall(*G, I);
  I.core().Regs.MaskCounter = false; // the call ends in normal mode
  Repeats R = repeatsOf(*G, I.core().arch());
  if (!R.Count)
    return 0;
  declareSources(*G, R, I);
  I.drain(); // the scalar unit waits for the number
  switch (bytesOf(G->T)) {
  case 1:
    return gather<uint8_t>(*G, R, I);
  case 2:
    return gather<uint16_t>(*G, R, I);
  default:
    return gather<uint32_t>(*G, R, I);
  }
}
