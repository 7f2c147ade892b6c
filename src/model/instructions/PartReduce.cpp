//===- PartReduce.cpp - One result per repeat, block or pair --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ReduceLanes.h"

namespace belay::sim {

namespace {

/// Where the results of one repeat go.
struct Results {
  uint32_t Bytes;     // written per repeat, at most
  uint32_t Step;      // what DstRepeatStride counts
  uint32_t Alignment; // of the destination
};

Results resultsOf(const PartReduction &R) {
  uint32_t Size = bytesOf(R.DstT);
  switch (R.Unit) {
  case ReduceUnit::Block:
    return {Size * BlocksPerRepeat, Size * BlocksPerRepeat,
            Size * BlocksPerRepeat};
  case ReduceUnit::Pair:
    return {RepeatBytes / 2, RepeatBytes / 2, BlockBytes};
  case ReduceUnit::Repeat:
    break;
  }
  if (R.Op != ReduceOp::Sum)
    switch (R.Result) {
    case ReduceResult::ValueIndex:
    case ReduceResult::IndexValue:
      Size *= 2;
      break;
    case ReduceResult::Index:
      Size = 4; // always uint32_t
      break;
    case ReduceResult::Value:
      break;
    }
  return {Size, Size, Size};
}

struct Work {
  const PartReduction &R;
  const Lanes &L;
  Stride S;
  uint32_t Step;
  Issue &I;

  template <typename T> T *dst(uint64_t Repeat) const {
    return reinterpret_cast<T *>(
        at(R.Dst, Repeat * static_cast<uint64_t>(R.DstRepeatStride) * Step));
  }
};

template <typename D, typename T> void sumRepeats(const Work &W) {
  for (uint64_t N = 0; N < W.L.Repeats; ++N) {
    T Row[LanesOf<T>];
    D Terms[LanesOf<T>];
    loadTerms(Row, W.L, W.S, W.R.Src, N);
    for (uint32_t I = 0; I < LanesOf<T>; ++I)
      Terms[I] = static_cast<D>(Row[I]);
    *W.dst<D>(N) = treeSum(Terms, LanesOf<T>);
  }
}

template <typename T>
void storeBest(const Work &W, uint64_t Repeat, const Best<T> &Found) {
  T Index;
  std::memcpy(&Index, &Found.Index, sizeof(T)); // lanes fit every type
  T *Dst = W.dst<T>(Repeat);
  switch (W.R.Result) {
  case ReduceResult::ValueIndex:
    Dst[0] = Found.Value;
    Dst[1] = Index;
    return;
  case ReduceResult::IndexValue:
    Dst[0] = Index;
    Dst[1] = Found.Value;
    return;
  case ReduceResult::Value:
    Dst[0] = Found.Value;
    return;
  case ReduceResult::Index:
    *W.dst<uint32_t>(Repeat) = Found.Index;
    return;
  }
}

template <ReduceOp Op, typename T> void bestOfRepeats(const Work &W) {
  Best<T> Overall = {T(), 0};
  for (uint64_t N = 0; N < W.L.Repeats; ++N) {
    T Row[LanesOf<T>];
    loadRow(Row, W.L, W.S, W.R.Src, N);
    Best<T> Found = bestOf<Op>(Row, W.L, activeOf(W.L, N), 0, W.L.PerRepeat);
    storeBest(W, N, Found);
    if (N == 0 || beats<Op>(static_cast<Wide<T>>(Found.Value),
                            static_cast<Wide<T>>(Overall.Value)))
      Overall = {Found.Value,
                 static_cast<uint32_t>(N * W.L.PerRepeat) + Found.Index};
  }
  W.I.core().Regs.Lists.ReduceValue = bitsOf(Overall.Value);
  W.I.core().Regs.Lists.ReduceIndex = Overall.Index;
}

/// What a block without a single active lane gives, if it is filled; else its
/// result is not written.
template <ReduceOp Op, typename T> T emptyBlock() {
  constexpr float Infinity = std::numeric_limits<float>::infinity();
  return static_cast<T>(Op == ReduceOp::Sum   ? 0.0f
                        : Op == ReduceOp::Max ? -Infinity
                                              : Infinity);
}

template <ReduceOp Op, typename T> void reduceBlocks(const Work &W) {
  constexpr uint32_t PerBlock = BlockBytes / sizeof(T);
  bool FillsEmpty = W.I.core().arch().fillsEmptyBlocks;
  for (uint64_t N = 0; N < W.L.Repeats; ++N) {
    uint32_t Active = activeOf(W.L, N);
    T Row[LanesOf<T>];
    loadRow(Row, W.L, W.S, W.R.Src, N);
    T *Dst = W.dst<T>(N);
    for (uint32_t B = 0; B < BlocksPerRepeat; ++B) {
      uint32_t Begin = B * PerBlock, End = Begin + PerBlock;
      Best<T> First = bestOf<Op>(Row, W.L, Active, Begin, End);
      if (First.Index == End) {
        if (FillsEmpty)
          Dst[B] = emptyBlock<Op, T>();
        continue;
      }
      if constexpr (Op == ReduceOp::Sum) {
        for (uint32_t I = Begin; I < End; ++I)
          if (!takesPart(W.L, I, Active))
            Row[I] = nothing<T>();
        Dst[B] = treeSum(Row + Begin, PerBlock);
      } else {
        Dst[B] = First.Value;
      }
    }
  }
}

template <typename T> void reducePairs(const Work &W) {
  bool FillsEmpty = W.I.core().arch().fillsEmptyBlocks;
  for (uint64_t N = 0; N < W.L.Repeats; ++N) {
    uint32_t Active = activeOf(W.L, N);
    T Row[LanesOf<T>];
    loadTerms(Row, W.L, W.S, W.R.Src, N);
    T *Dst = W.dst<T>(N);
    for (uint32_t P = 0; P < LanesOf<T> / 2; ++P) {
      if (takesPart(W.L, 2 * P, Active) || takesPart(W.L, 2 * P + 1, Active))
        Dst[P] = plus(Row[2 * P], Row[2 * P + 1]);
      else if (FillsEmpty)
        Dst[P] = T(0);
    }
  }
}

using PartFn = void (*)(const Work &);

template <typename T> PartFn partOf(ReduceOp Op, ReduceUnit Unit) {
  if (Unit == ReduceUnit::Pair)
    return Op == ReduceOp::Sum ? reducePairs<T> : nullptr;
  if (Unit == ReduceUnit::Repeat)
    return Op == ReduceOp::Sum   ? sumRepeats<T, T>
           : Op == ReduceOp::Max ? bestOfRepeats<ReduceOp::Max, T>
                                 : bestOfRepeats<ReduceOp::Min, T>;
  return Op == ReduceOp::Sum   ? reduceBlocks<ReduceOp::Sum, T>
         : Op == ReduceOp::Max ? reduceBlocks<ReduceOp::Max, T>
                               : reduceBlocks<ReduceOp::Min, T>;
}

/// Integers exist per repeat only, where they do; their sums are 32 bits
/// wide.
PartFn integerPart(const PartReduction &R) {
  bool Sum = R.Op == ReduceOp::Sum;
  if (R.Unit != ReduceUnit::Repeat)
    return nullptr;
  if (Sum && R.DstT == Elem::S32 && R.SrcT == Elem::S16)
    return sumRepeats<int32_t, int16_t>;
  if (Sum && R.DstT == Elem::U32 && R.SrcT == Elem::U16)
    return sumRepeats<uint32_t, uint16_t>;
  if (R.DstT != R.SrcT)
    return nullptr;
  switch (R.SrcT) {
  case Elem::S16:
    return Sum ? nullptr : partOf<int16_t>(R.Op, R.Unit);
  case Elem::U16:
    return Sum ? nullptr : partOf<uint16_t>(R.Op, R.Unit);
  case Elem::S32:
    return partOf<int32_t>(R.Op, R.Unit);
  case Elem::U32:
    return partOf<uint32_t>(R.Op, R.Unit);
  default:
    return nullptr;
  }
}

PartFn findPart(const PartReduction &R, const targets::Arch &Arch) {
  if (R.DstT == R.SrcT && R.SrcT == Elem::F16)
    return partOf<F16>(R.Op, R.Unit);
  if (R.DstT == R.SrcT && R.SrcT == Elem::F32)
    return partOf<float>(R.Op, R.Unit);
  return Arch.reducesIntegers ? integerPart(R) : nullptr;
}

void checkOrder(const PartReduction &R, const targets::Arch &Arch, Issue &I) {
  bool Ordered = R.Unit == ReduceUnit::Repeat && R.Op != ReduceOp::Sum;
  bool Single =
      R.Result == ReduceResult::Value || R.Result == ReduceResult::Index;
  if (Ordered && Single && !Arch.hasOrderOnlyValue)
    fail("unsupported-api", I.pc(),
         "use ORDER_VALUE_INDEX and skip what is not needed",
         "%s returns value and index together on arch %u", I.name(),
         Arch.number);
}

/// Whether the mask of a call selects nothing.
bool selectsNothing(const Walk &W, const Registers &R) {
  if (R.MaskCounter)
    return false;
  return (W.Mode == MaskMode::Lanes && !W.Mask[0]) ||
         (W.Mode == MaskMode::Bits && !W.Mask[0] && !W.Mask[1]);
}

/// Bytes that the last active lane's result ends at.
uint32_t writtenBytes(const PartReduction &R, const Lanes &L,
                      const targets::Arch &Arch) {
  uint32_t Most = resultsOf(R).Bytes, Size = bytesOf(R.DstT);
  if (R.Unit == ReduceUnit::Repeat || Arch.fillsEmptyBlocks)
    return Most;
  uint32_t Together =
      R.Unit == ReduceUnit::Pair ? 2 : BlockBytes / bytesOf(R.SrcT);
  uint32_t Lanes = L.Repeats == 1 ? L.LastActive : L.Active;
  return (Lanes + Together - 1) / Together * Size;
}

/// Each result comes from its own repeat, block or pair; strided repeats count
/// with what lies between their blocks.
void noteOrigins(const Work &W, uint32_t Lanes, uint32_t Results,
                 uint32_t ResultBytes) {
  uint32_t Size = bytesOf(W.R.SrcT), PerBlock = BlockBytes / Size;
  for (uint64_t N = 0; N < W.L.Repeats; ++N) {
    uint32_t Active = activeOf(W.L, N);
    const uint8_t *Src = at(W.R.Src, N * W.S.Repeat * BlockBytes);
    auto Place = [&](uint32_t Lane) {
      return Src + uint64_t(Lane / PerBlock) * W.S.Block * BlockBytes +
             uint64_t(Lane % PerBlock) * Size;
    };
    for (uint32_t K = 0; K < Results && K * Lanes < Active; ++K) {
      uint32_t Last = std::min((K + 1) * Lanes, Active) - 1;
      W.I.origin(W.dst<uint8_t>(N) + uint64_t(K) * ResultBytes, ResultBytes,
                 Place(K * Lanes), Place(Last) + Size - Place(K * Lanes));
    }
  }
}

void noteOrigins(const Work &W) {
  uint32_t PerRepeat = RepeatBytes / bytesOf(W.R.SrcT);
  uint32_t Size = bytesOf(W.R.DstT);
  switch (W.R.Unit) {
  case ReduceUnit::Repeat:
    return noteOrigins(W, PerRepeat, 1, resultsOf(W.R).Bytes);
  case ReduceUnit::Block:
    return noteOrigins(W, PerRepeat / BlocksPerRepeat, BlocksPerRepeat, Size);
  case ReduceUnit::Pair:
    return noteOrigins(W, 2, PerRepeat / 2, Size);
  }
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_reduce_parts(const PartReduction *R) {
  Issue I(R->Name, on::reduce_parts, BELAY_PC);
  if (I.dropped())
    return;
  const auto &Arch = I.core().arch();
  PartFn Fn = findPart(*R, Arch);
  if (!Fn)
    I.unsupported(R->DstT, R->SrcT);
  checkOrder(*R, Arch, I);
  checkRange(I, "repeatTime", R->Repeat, 255);
  checkRange(I, "dstRepStride", R->DstRepeatStride, 65535);
  checkRange(I, "srcBlkStride", R->SrcBlockStride, 65535);
  checkRange(I, "srcRepStride", R->SrcRepeatStride, 65535);
  // A call without lanes does nothing, unless empty blocks are filled.
  if (Arch.hasEmptyMask && !Arch.fillsEmptyBlocks &&
      selectsNothing(R->W, I.core().Regs))
    return;
  uint32_t Size = bytesOf(R->SrcT);
  Walk W = R->W;
  W.Repeat = static_cast<uint16_t>(R->Repeat);
  Lanes L = Lanes::resolve(W, Size, I);
  if (!L.Repeats)
    return;
  Stride S = {static_cast<uint16_t>(R->SrcBlockStride),
              static_cast<uint16_t>(R->SrcRepeatStride)};
  Results To = resultsOf(*R);
  I.read(R->Src, extentOf(L, S, Size), R->SrcT);
  I.write(R->Dst,
          {writtenBytes(*R, L, Arch), 1, 0, L.Repeats,
           int64_t(R->DstRepeatStride) * To.Step},
          R->DstT, To.Alignment);
  if (I.later(belay_sim_reduce_parts, R))
    return;
  Work All = {*R, L, S, To.Step, I};
  if (I.watched())
    noteOrigins(All);
  Fn(All);
}
