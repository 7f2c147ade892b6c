//===- Choose.cpp - Dropping, selecting and ranking elements --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace belay::sim {

namespace {

/// Orders positions of a row: best first, equal values by position. NaN comes
/// before everything, whichever end is asked for.
template <typename T>
void rank(const void *Row, uint32_t N, uint32_t K, bool Largest,
          std::vector<uint32_t> &Order) {
  using W = Wide<T>;
  const auto *X = static_cast<const T *>(Row);
  Order.resize(N);
  std::iota(Order.begin(), Order.end(), 0);
  auto Before = [&](uint32_t A, uint32_t B) {
    W VA = static_cast<W>(X[A]), VB = static_cast<W>(X[B]);
    bool NanA = VA != VA, NanB = VB != VB;
    if (NanA || NanB)
      return NanA && (!NanB || A < B);
    if (VA != VB)
      return Largest ? VA > VB : VA < VB;
    return A < B;
  };
  std::partial_sort(Order.begin(), Order.begin() + K, Order.end(), Before);
}

using RankFn = void (*)(const void *, uint32_t, uint32_t, bool,
                        std::vector<uint32_t> &);
RankFn findRank(Elem T) {
  switch (T) {
#define BELAY_CASE(Name, CType)                                                \
  case Elem::Name:                                                             \
    return rank<CType>;
    BELAY_CASE(S8, int8_t)
    BELAY_CASE(U8, uint8_t)
    BELAY_CASE(S16, int16_t)
    BELAY_CASE(U16, uint16_t)
    BELAY_CASE(S32, int32_t)
    BELAY_CASE(U32, uint32_t)
    BELAY_CASE(S64, int64_t)
    BELAY_CASE(U64, uint64_t)
    BELAY_CASE(F16, F16)
    BELAY_CASE(BF16, BF16)
    BELAY_CASE(F32, float)
#undef BELAY_CASE
  default:
    return nullptr;
  }
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_topk(const TopKCall *C) {
  if (Routine::absent())
    return;
  Routine R("TopK", BELAY_PC);
  R.accepts(C->Type, types::HalfFloat,
            types::Integers | types::HalfFloat | types::Bfloat);
  if (!C->K || C->K > C->Valid || C->Valid > C->Inner || C->Inner % 32)
    fail("bad-repeat", BELAY_PC,
         "1 <= k <= n <= inner, and inner is n rounded up to 32",
         "TopK was asked for %u of %u elements in rows of %u", C->K, C->Valid,
         C->Inner);
  Elem Index = Elem::S32;
  R.reads(C->Src, uint64_t(C->Outer) * C->Inner, C->Type);
  R.readsIf(C->SrcIndices, uint64_t(C->SharedIndices ? 1 : C->Outer) * C->Inner,
            Index);
  R.readsIf(C->Finished, C->Outer, Elem::Bool);
  if (C->OverwritesSource)
    R.writes(const_cast<void *>(C->Src), uint64_t(C->Outer) * C->Inner,
             C->Type);
  R.writesRows(C->Values, C->Outer, C->K, C->ValuePad, C->Type);
  R.writesRows(C->Indices, C->Outer, C->K, C->IndexPad, Index);
  if (!R.ready(C->Tmp, belay_sim_topk, C))
    return;
  RankFn Rank = findRank(C->Type);
  uint32_t Size = bytesOf(C->Type);
  std::vector<uint32_t> Order;
  for (uint32_t Row = 0; Row < C->Outer; ++Row) {
    const uint8_t *From = elementAt(C->Src, C->Type, uint64_t(Row) * C->Inner);
    // The padding takes part: the caller has to fill it so that it loses.
    Rank(From, C->Inner, C->K, C->Largest, Order);
    for (uint32_t I = 0; I < C->K; ++I) {
      uint32_t At = Order[I];
      std::memmove(
          elementAt(C->Values, C->Type, uint64_t(Row) * C->ValuePad + I),
          From + uint64_t(At) * Size, Size);
      int32_t &To = C->Indices[uint64_t(Row) * C->IndexPad + I];
      // A byte, as it lies there: a bool would have to be 0 or 1.
      if (C->Finished &&
          *elementAt(static_cast<const void *>(C->Finished), Elem::Bool, Row))
        To = static_cast<int32_t>(C->Valid);
      else if (C->SrcIndices)
        To = C->SrcIndices[(C->SharedIndices ? 0 : uint64_t(Row) * C->Inner) +
                           At];
      else
        To = static_cast<int32_t>(At);
    }
  }
}

void belay_sim_dropout(const DropOutCall *C) {
  if (Routine::absent())
    return;
  Routine R("DropOut", BELAY_PC);
  R.accepts(C->Type, types::HalfFloat, types::HalfFloat | types::Bfloat);
  R.reads(C->Src, uint64_t(C->Rows) * C->Columns, C->Type);
  R.reads(C->Mask, uint64_t(C->Rows) * C->MaskColumns, Elem::U8);
  if (C->MaskColumns < (C->Bits ? divideUp(C->Columns, 8) : C->Columns))
    fail("bad-repeat", BELAY_PC,
         "rows of the mask have a bit or a byte for each element",
         "DropOut got rows of %u bytes of mask for %u columns", C->MaskColumns,
         C->Columns);
  R.writes(C->Dst, uint64_t(C->Rows) * C->Columns, C->Type);
  if (!R.ready(C->Tmp, belay_sim_dropout, C) || !C->Columns)
    return;
  std::vector<float> X(C->Columns);
  for (uint32_t Row = 0; Row < C->Rows; ++Row) {
    uint64_t First = uint64_t(Row) * C->Columns;
    const uint8_t *Mask = C->Mask + uint64_t(Row) * C->MaskColumns;
    widen(C->Type, X.data(), elementAt(C->Src, C->Type, First), C->Columns);
    for (uint32_t I = 0; I < C->Columns; ++I) {
      bool Keep = C->Bits ? Mask[I / 8] >> (I % 8) & 1 : Mask[I] != 0;
      X[I] = Keep ? X[I] / C->KeepProb : 0;
    }
    narrow(C->Type, elementAt(C->Dst, C->Type, First), X.data(), C->Columns);
  }
}

void belay_sim_byte_select(const ByteSelectCall *C) {
  if (Routine::absent())
    return;
  Routine R("Select", BELAY_PC);
  R.accepts(C->Type, types::HalfFloat, types::HalfFloat);
  R.accepts(C->MaskType, types::SmallIntegers | only(Elem::Bool),
            types::SmallIntegers | only(Elem::Bool));
  uint64_t Total = uint64_t(C->Rows) * C->Columns;
  if (C->MaskColumns < C->Columns || C->MaskColumns % 16)
    fail("bad-repeat", BELAY_PC,
         "rows of the mask are at least as long as those of the source, and a "
         "multiple of 16 elements",
         "Select got a mask of %u columns for %u columns", C->MaskColumns,
         C->Columns);
  R.reads(C->Src[0], Total, C->Type);
  R.reads(C->Src[1], Total, C->Type);
  R.readsRows(C->Mask, C->Rows, C->Columns, C->MaskColumns, C->MaskType);
  R.writes(C->Dst, Total, C->Type);
  if (!R.ready(C->Tmp, belay_sim_byte_select, C))
    return;
  uint32_t Size = bytesOf(C->Type), MaskSize = bytesOf(C->MaskType);
  for (uint64_t I = 0; I < Total; ++I) {
    uint64_t At = I / C->Columns * C->MaskColumns + I % C->Columns;
    uint32_t Bits = 0;
    std::memcpy(&Bits, elementAt(C->Mask, C->MaskType, At), MaskSize);
    const Source &From = C->Src[Bits ? 1 : 0];
    std::memmove(elementAt(C->Dst, C->Type, I),
                 elementAt(From.Data, C->Type, From.Scalar ? 0 : I), Size);
  }
}
