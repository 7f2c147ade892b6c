//===- Shape.cpp - Broadcast, pad, prefix sums ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

/// Calls Move(DstOffset, SrcOffset) for every point of a shape, last axis
/// fastest. Offsets are in elements.
template <typename Fn>
void walk(uint32_t Rank, const uint32_t *Shape, const int64_t *DstStride,
          const int64_t *SrcStride, Fn Move) {
  uint32_t Index[MaxBroadcastRank] = {};
  for (uint32_t A = 0; A < Rank; ++A)
    if (!Shape[A])
      return;
  for (int64_t Dst = 0, Src = 0;;) {
    Move(Dst, Src);
    uint32_t A = Rank;
    while (A-- > 0) {
      Dst += DstStride[A];
      Src += SrcStride[A];
      if (++Index[A] < Shape[A])
        break;
      Dst -= DstStride[A] * Shape[A];
      Src -= SrcStride[A] * Shape[A];
      Index[A] = 0;
    }
    if (A == UINT32_MAX)
      return;
  }
}

/// Writes one element N times, doubling what is there already.
void repeat(uint8_t *Dst, const uint8_t *Element, uint32_t Size, uint64_t N) {
  if (!N)
    return;
  std::memcpy(Dst, Element, Size);
  for (uint64_t Done = 1; Done < N; Done *= 2)
    std::memcpy(Dst + Done * Size, Dst, std::min(Done, N - Done) * Size);
}

/// A copy of the source, so that source and destination may be the same memory.
std::vector<uint8_t> copyOf(const void *Src, uint64_t Bytes) {
  const auto *P = static_cast<const uint8_t *>(Src);
  return {P, P + Bytes};
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_broadcast(const BroadcastCall *C) {
  if (Routine::absent())
    return;
  Routine R("Broadcast", BELAY_PC);
  using namespace types;
  R.accepts(C->Type, Bits8 | HalfFloat, Anything);
  if (!C->Rank || C->Rank > MaxBroadcastRank)
    fail("bad-repeat", BELAY_PC, "use at most 9 axes", "Broadcast of %u axes",
         C->Rank);
  int64_t DstStride[MaxBroadcastRank], SrcStride[MaxBroadcastRank];
  uint64_t DstSize = 1, SrcSize = 1;
  for (uint32_t A = C->Rank; A-- > 0;) {
    if (C->SrcShape[A] != C->DstShape[A] && C->SrcShape[A] != 1)
      fail("bad-repeat", BELAY_PC,
           "an axis of the source is 1 or as long as in the result",
           "Broadcast cannot make %u elements of axis %u from %u",
           C->DstShape[A], A, C->SrcShape[A]);
    DstStride[A] = static_cast<int64_t>(DstSize);
    SrcStride[A] = C->SrcShape[A] == 1 ? 0 : static_cast<int64_t>(SrcSize);
    DstSize = product(DstSize, C->DstShape[A]);
    SrcSize = product(SrcSize, C->SrcShape[A]);
  }
  if (!DstSize)
    return;
  R.reads(C->Src, SrcSize, C->Type);
  if (C->OverwritesSource)
    R.writes(const_cast<void *>(C->Src), SrcSize, C->Type);
  R.writes(C->Dst, DstSize, C->Type);
  if (!R.ready(C->Tmp, belay_sim_broadcast, C))
    return;
  uint32_t Size = bytesOf(C->Type), Last = C->Rank - 1;
  uint32_t Run = C->DstShape[Last];
  auto *Dst = static_cast<uint8_t *>(C->Dst);
  auto Src = copyOf(C->Src, SrcSize * Size);
  // The last axis is a run of elements, or one element again and again.
  walk(Last, C->DstShape, DstStride, SrcStride, [&](int64_t D, int64_t S) {
    if (SrcStride[Last])
      std::memcpy(Dst + D * Size, Src.data() + S * Size, size_t(Run) * Size);
    else
      repeat(Dst + D * Size, Src.data() + S * Size, Size, Run);
  });
}

void belay_sim_pad(const PadCall *C) {
  if (Routine::absent())
    return;
  Routine R(C->Name, BELAY_PC);
  constexpr TypeSet Set = types::Bits16 | types::Bits32 | types::HalfFloat;
  R.accepts(C->Type, Set, Set);
  uint32_t Size = bytesOf(C->Type), PerBlock = 32 / Size;
  uint64_t Aligned = divideUp(C->SrcStride, PerBlock) * PerBlock;
  bool Fits =
      C->Adds ? C->DstStride <= Aligned && C->Valid <= C->SrcStride &&
                    uint64_t(C->Left) + C->Valid <= C->DstStride
              : C->SrcStride % PerBlock == 0 && C->DstStride <= C->SrcStride;
  if (!Fits)
    fail("bad-repeat", BELAY_PC,
         "Pad fills a row up to the next 32 bytes, UnPad takes it back",
         "%s cannot turn rows of %u elements into rows of %u", C->Name,
         C->SrcStride, C->DstStride);
  R.reads(C->Src, uint64_t(C->Height) * C->SrcStride, C->Type);
  R.writes(C->Dst, uint64_t(C->Height) * C->DstStride, C->Type);
  R.ready(C->Tmp);
  if (!C->SrcStride || !C->DstStride)
    return;
  auto Src = copyOf(C->Src, uint64_t(C->Height) * C->SrcStride * Size);
  for (uint32_t Row = 0; Row < C->Height; ++Row) {
    uint8_t *To = elementAt(C->Dst, C->Type, uint64_t(Row) * C->DstStride);
    const uint8_t *From = Src.data() + uint64_t(Row) * C->SrcStride * Size;
    if (!C->Adds) {
      std::memcpy(To, From, size_t(C->DstStride) * Size);
      continue;
    }
    for (uint32_t I = 0; I < C->DstStride; ++I)
      std::memcpy(To + size_t(I) * Size, C->Value, Size);
    std::memcpy(To + size_t(C->Left) * Size, From, size_t(C->Valid) * Size);
  }
}

void belay_sim_cumsum(const CumSumCall *C) {
  if (Routine::absent())
    return;
  Routine R("CumSum", BELAY_PC);
  R.accepts(C->Type, types::HalfFloat, types::HalfFloat);
  uint64_t Size = uint64_t(C->Outer) * C->Inner;
  if (!Size || uint64_t(C->Inner) * bytesOf(C->Type) % 32)
    fail("bad-repeat", BELAY_PC, "pad the rows to a multiple of 32 bytes",
         "CumSum got %u rows of %u elements", C->Outer, C->Inner);
  R.reads(C->Src, Size, C->Type);
  R.writes(C->Dst, Size, C->Type);
  R.writesIf(C->LastRow, C->Inner, C->Type);
  if (!R.ready(C->Tmp, belay_sim_cumsum, C))
    return;
  std::vector<float> X(Size);
  widen(C->Type, X.data(), C->Src, Size);
  if (C->LastAxis) {
    for (uint64_t I = 0; I < Size; ++I)
      if (I % C->Inner)
        X[I] += X[I - 1];
  } else {
    for (uint64_t I = C->Inner; I < Size; ++I)
      X[I] += X[I - C->Inner];
  }
  narrow(C->Type, C->Dst, X.data(), Size);
  if (C->LastRow)
    narrow(C->Type, C->LastRow, X.data() + Size - C->Inner, C->Inner);
}
