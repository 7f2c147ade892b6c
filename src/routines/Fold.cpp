//===- Fold.cpp - Sums, means and other reductions of a matrix ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "routines/Routine.h"

#include <algorithm>
#include <vector>

namespace belay::sim {

namespace {

template <typename T> T fold(FoldOp Op, T A, T B) {
  switch (Op) {
  case FoldOp::Sum:
  case FoldOp::Mean:
    return static_cast<T>(wrap(A) + wrap(B));
  case FoldOp::Max:
    return A != A || A > B ? A : B;
  case FoldOp::Min:
    return A != A || A < B ? A : B;
  case FoldOp::Prod:
    return static_cast<T>(wrap(A) * wrap(B));
  case FoldOp::Any:
    return T(A != T(0) || B != T(0));
  case FoldOp::All:
    return T(A != T(0) && B != T(0));
  }
  return A;
}

/// Reduces Data in place as a balanced tree over neighbours.
template <typename W> W tree(FoldOp Op, W *Data, size_t N) {
  while (N > 1) {
    for (size_t I = 0; I < N / 2; ++I)
      Data[I] = fold(Op, Data[2 * I], Data[2 * I + 1]);
    if (N % 2)
      Data[N / 2] = Data[N - 1];
    N = (N + 1) / 2;
  }
  // A single element still has to become 0 or 1.
  if (Op == FoldOp::Any || Op == FoldOp::All)
    return fold(Op, Data[0], Data[0]);
  return Data[0];
}

template <typename T> void foldAs(const FoldCall &C) {
  using W = Wide<T>;
  const auto *Src = static_cast<const T *>(C.Src);
  auto *Dst = static_cast<T *>(C.Dst);
  uint32_t Results = C.FirstAxis ? C.Inner : C.Outer;
  uint32_t Length = C.FirstAxis ? C.Outer : C.Inner;
  size_t Along = C.FirstAxis ? C.Stride : 1;
  size_t Across = C.FirstAxis ? 1 : C.Stride;
  std::vector<W> Line(Length), Out(Results);
  for (uint32_t R = 0; R < Results; ++R) {
    for (uint32_t I = 0; I < Length; ++I)
      Line[I] = static_cast<W>(Src[R * Across + I * Along]);
    W Value = tree(C.Op, Line.data(), Length);
    if (C.Op == FoldOp::Mean)
      Value = static_cast<W>(Value / static_cast<W>(Length));
    Out[R] = Value;
  }
  for (uint32_t R = 0; R < Results; ++R)
    Dst[R] = static_cast<T>(Out[R]);
}

using FoldFn = void (*)(const FoldCall &);
FoldFn find(Elem T) {
  switch (T) {
#define BELAY_CASE(Name, CType)                                                \
  case Elem::Name:                                                             \
    return foldAs<CType>;
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

struct Entry {
  const char *Name;
  TypeSet Old, New;
};
Entry entryOf(const FoldCall &C) {
  using namespace types;
  constexpr TypeSet Wide = Bits32 | Int64 | only(Elem::U64) | Float;
  constexpr TypeSet Ordered = Integers | HalfFloat | Bfloat;
  switch (C.Op) {
  case FoldOp::Sum:
    return C.Pattern ? Entry{"ReduceSum", Float, Wide}
                     : Entry{"Sum", HalfFloat, HalfFloat};
  case FoldOp::Mean:
    return C.Pattern ? Entry{"ReduceMean", Float, Float}
                     : Entry{"Mean", HalfFloat, HalfFloat};
  case FoldOp::Max:
    return {"ReduceMax", HalfFloat, Ordered};
  case FoldOp::Min:
    return {"ReduceMin", HalfFloat, Ordered};
  case FoldOp::Prod:
    return {"ReduceProd", Float, Float};
  case FoldOp::Any:
    return {"ReduceAny", only(Elem::U8) | Float, only(Elem::U8) | Float};
  case FoldOp::All:
    return {"ReduceAll", only(Elem::U8) | Float, only(Elem::U8) | Float};
  }
  return {"?", None, None};
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_fold(const FoldCall *C) {
  if (Routine::absent())
    return;
  Entry E = entryOf(*C);
  Routine R(E.Name, BELAY_PC);
  // Without patterns there are Sum and Mean alone.
  if (C->Pattern && !R.issue().core().arch().hasReducePattern)
    E.Old = types::None;
  R.accepts(C->Type, E.Old, E.New);
  if (!C->Outer || !C->Inner || C->Inner > C->Stride)
    fail("bad-repeat", BELAY_PC,
         "n is the number of elements of a row, inner that number rounded up "
         "to 32 bytes",
         "%s was asked to reduce %u rows of %u elements that are %u apart",
         E.Name, C->Outer, C->Inner, C->Stride);
  R.readsRows(C->Src, C->Outer, C->Inner, C->Stride, C->Type);
  if (C->OverwritesSource)
    R.writesRows(const_cast<void *>(C->Src), C->Outer, C->Inner, C->Stride,
                 C->Type);
  R.writes(C->Dst, C->FirstAxis ? C->Inner : C->Outer, C->Type);
  if (!R.ready(C->Tmp, belay_sim_fold, C))
    return;
  find(C->Type)(*C);
}

void belay_sim_xor_sum(const XorSumCall *C) {
  if (Routine::absent())
    return;
  Routine R("ReduceXorSum", BELAY_PC);
  R.accepts(C->Type, only(Elem::S16), only(Elem::S16));
  R.reads(C->Src0, C->Count, C->Type);
  R.reads(C->Src1, C->Count, C->Type);
  R.writes(C->Dst, 1, C->Type);
  if (!R.ready(C->Tmp, belay_sim_xor_sum, C))
    return;
  const auto *A = static_cast<const int16_t *>(C->Src0);
  const auto *B = static_cast<const int16_t *>(C->Src1);
  int64_t Sum = 0;
  for (uint32_t I = 0; I < C->Count; ++I)
    Sum += static_cast<int16_t>(A[I] ^ B[I]);
  // The result saturates.
  *static_cast<int16_t *>(C->Dst) =
      static_cast<int16_t>(std::clamp<int64_t>(Sum, INT16_MIN, INT16_MAX));
}
