//===- Lanes.h - Masks, repeats and strides of the vector unit --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_LANES_H
#define BELAY_MODEL_INSTRUCTIONS_LANES_H

#include "abi/Types.h"
#include "model/core/Observer.h"

#include <algorithm>

namespace belay::sim {

class Issue;

inline constexpr uint32_t BlockBytes = 32;
inline constexpr uint32_t BlocksPerRepeat = 8;
inline constexpr uint32_t RepeatBytes = BlockBytes * BlocksPerRepeat;
inline constexpr uint32_t MaxRepeat = 255;

/// The lanes of a vector instruction, with the mask registers resolved.
struct Lanes {
  uint32_t PerRepeat; // lanes of a full repeat
  uint64_t Repeats;
  uint32_t Active;     // lanes [0, Active) of each repeat but the last
  uint32_t LastActive; // lanes of the last repeat; differs in counter mode
  uint64_t Mask[2];    // bits, when Sparse
  bool Sparse;         // the mask has holes below Active

  /// Widest is the size of the instruction's largest element: it decides how
  /// many lanes a repeat has. Leaves in the mask registers what the API call
  /// would: its own mask, or the default after a count form.
  static Lanes resolve(const Walk &W, uint32_t Widest, Issue &I);
  /// All lanes of all repeats, whatever the mask says.
  static Lanes all(uint64_t Repeats, uint32_t Widest);
  static Lanes counted(uint64_t Count, uint32_t PerRepeat);

  bool lane(uint32_t N) const { return Mask[N / 64] >> (N % 64) & 1; }
  bool full() const { return !Sparse && Active == PerRepeat; }
  uint64_t total() const {
    return Repeats ? product(Repeats - 1, Active) + LastActive : 0;
  }
};

/// The bytes operand number N touches.
Extent extentOf(const Lanes &L, const Stride &S, uint32_t ElementBytes);

/// Refuses destinations whose blocks fall onto each other: the order in which
/// the lanes of one repeat are written is nobody's promise.
void checkDestination(const Issue &I, const Lanes &L, const Stride &S,
                      uint32_t ElementBytes);

/// Calls Run(Offsets, N) for stretches of lanes that are contiguous in all
/// operands, in program order. Offsets are in bytes, one per operand.
template <unsigned NumOperands, unsigned NumStrides, typename Fn>
void forEachRun(const Lanes &L, const Stride (&S)[NumStrides],
                const uint32_t (&Size)[NumOperands], Fn Run) {
  static_assert(NumOperands <= NumStrides);
  uint64_t Offset[NumOperands] = {};
  bool BlocksTouch = true, RepeatsTouch = L.full();
  uint32_t Widest = 1;
  for (unsigned K = 0; K < NumOperands; ++K) {
    uint32_t Blocks = L.PerRepeat * Size[K] / BlockBytes;
    BlocksTouch &= S[K].Block == 1 || L.Active * Size[K] <= BlockBytes;
    RepeatsTouch &= S[K].Repeat == Blocks && S[K].Block == 1;
    Widest = std::max(Widest, Size[K]);
  }
  if (L.Repeats == 0)
    return;
  if (L.Repeats > 1 ? RepeatsTouch : (BlocksTouch && !L.Sparse)) {
    Run(Offset, L.total());
    return;
  }
  uint32_t Chunk = BlockBytes / Widest;
  for (uint64_t R = 0; R < L.Repeats; ++R) {
    uint32_t Active = R + 1 == L.Repeats ? L.LastActive : L.Active;
    if (BlocksTouch && !L.Sparse) {
      for (unsigned K = 0; K < NumOperands; ++K)
        Offset[K] = R * S[K].Repeat * BlockBytes;
      Run(Offset, Active);
      continue;
    }
    for (uint32_t First = 0; First < Active; First += Chunk) {
      uint32_t End = std::min(First + Chunk, Active);
      for (uint32_t Lane = First; Lane < End;) {
        if (L.Sparse && !L.lane(Lane)) {
          ++Lane;
          continue;
        }
        uint32_t Stop = Lane + 1;
        while (Stop < End && (!L.Sparse || L.lane(Stop)))
          ++Stop;
        for (unsigned K = 0; K < NumOperands; ++K) {
          uint32_t PerBlock = BlockBytes / Size[K];
          Offset[K] =
              (R * S[K].Repeat + uint64_t(Lane / PerBlock) * S[K].Block) *
                  BlockBytes +
              uint64_t(Lane % PerBlock) * Size[K];
        }
        Run(Offset, Stop - Lane);
        Lane = Stop;
      }
    }
  }
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_LANES_H
