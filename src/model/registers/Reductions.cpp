//===- Reductions.cpp - Over the lanes of a register ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/ByType.h"
#include "model/instructions/ReduceLanes.h"
#include "model/registers/Lanes.h"

#include <cmath>
#include <limits>

namespace belay::sim {

namespace {

/// What lanes count as that the mask leaves out.
template <ReduceOp Op, typename T> T neutral() {
  if constexpr (Op == ReduceOp::Sum)
    return T(0);
  else if constexpr (IsFloat<T>)
    return T(Op == ReduceOp::Max ? -std::numeric_limits<float>::infinity()
                                 : std::numeric_limits<float>::infinity());
  else
    return Op == ReduceOp::Max ? std::numeric_limits<T>::min()
                               : std::numeric_limits<T>::max();
}

template <ReduceOp Op, typename T, typename S>
void loadRow(T *Row, const Register &R, const MaskRegister &M, LaneShape L) {
  for (uint32_t I = 0; I < L.Num; ++I) {
    S V;
    std::memcpy(&V, R.Bytes + I * sizeof(S), sizeof(S));
    Row[I] = M.test(I * L.Step) ? static_cast<T>(V) : neutral<Op, T>();
  }
}

/// The first of the best of N lanes; of zeros the positive one is larger.
template <ReduceOp Op, typename T> uint32_t best(const T *Row, uint32_t N) {
  uint32_t At = 0;
  for (uint32_t I = 1; I < N; ++I) {
    bool Better = beats<Op>(Row[I], Row[At]);
    if constexpr (IsFloat<T>)
      if (Row[I] == Row[At] && Row[I] == T(0.0f)) {
        bool Positive = !std::signbit(static_cast<float>(Row[I]));
        bool Was = !std::signbit(static_cast<float>(Row[At]));
        Better = Positive != Was && Positive == (Op == ReduceOp::Max);
      }
    if (Better)
      At = I;
  }
  return At;
}

/// Results go to the lowest lanes. Per is how many lanes make one.
template <ReduceOp Op, typename T, typename S>
void reduce(const Register &R, const MaskRegister &M, LaneShape L, uint32_t Per,
            bool WithIndex, uint8_t *Result) {
  T Row[WideBytes] = {};
  loadRow<Op, T, S>(Row, R, M, L);
  for (uint32_t First = 0, N = 0; First < L.Num; First += Per, ++N) {
    T Value;
    uint32_t Index = 0;
    if constexpr (Op == ReduceOp::Sum) {
      Value = treeSum(Row + First, Per);
    } else {
      Index = best<Op>(Row + First, Per);
      Value = Row[First + Index];
    }
    std::memcpy(Result + N * sizeof(T), &Value, sizeof(T));
    uint64_t Bits = Index;
    if (WithIndex)
      std::memcpy(Result + sizeof(T), &Bits, sizeof(T));
  }
}

using ReduceFn = void (*)(const Register &, const MaskRegister &, LaneShape,
                          uint32_t, bool, uint8_t *);

ReduceFn findReduce(ReduceOp Op, Elem To, Elem From) {
  if (Op == ReduceOp::Sum) {
    if (From == Elem::S16 && To == Elem::S32)
      return reduce<ReduceOp::Sum, int32_t, int16_t>;
    if (From == Elem::U16 && To == Elem::U32)
      return reduce<ReduceOp::Sum, uint32_t, uint16_t>;
    using Types = TypeList<F16, float, int32_t, uint32_t, int64_t, uint64_t>;
    return From != To ? nullptr : byType(From, Types(), []<typename T> {
      return static_cast<ReduceFn>(reduce<ReduceOp::Sum, T, T>);
    });
  }
  using Types = TypeList<F16, float, int16_t, uint16_t, int32_t, uint32_t,
                         int64_t, uint64_t>;
  if (From != To)
    return nullptr;
  if (Op == ReduceOp::Max)
    return byType(From, Types(), []<typename T> {
      return static_cast<ReduceFn>(reduce<ReduceOp::Max, T, T>);
    });
  return byType(From, Types(), []<typename T> {
    return static_cast<ReduceFn>(reduce<ReduceOp::Min, T, T>);
  });
}

/// The lanes of a result have a value if all lanes that they are made of have.
void reduceLanes(const Micro &X, ReduceFn Fn, uint32_t Per, bool WithIndex) {
  if (!Fn)
    unsupportedType(X.M, X.C.DstType, X.C.SrcType);
  LaneShape L = LaneShape::of(X.C.SrcType, X.C.Two);
  LaneShape D = LaneShape::of(X.C.DstType, X.C.Two);
  const Register &Src = X.read(X.C.Src0);
  const MaskRegister &Mask = X.mask();
  X.use(Src, Mask, L);
  uint8_t Result[WideBytes] = {};
  Fn(Src, Mask, L, Per, WithIndex, Result);
  LaneFlags Flags(X);
  for (uint32_t I = 0; I < L.Num && X.Seen && Src.Suspect; ++I)
    if (Mask.test(I * L.Step) &&
        anyByte(Src.Undefined + size_t(I) * L.Size, L.Size)) {
      Flags.lane(I / Per, true, Src);
      if (WithIndex)
        Flags.lane(1, true, Src);
    }
  takeResult(X, Result, nullptr, D, Flags);
}

/// Counts bytes of 0 to 127, or of 128 to 255, into 128 counters.
void histogram(const Micro &X) {
  if (X.C.SrcType != Elem::U8 || X.C.DstType != Elem::U16)
    unsupportedType(X.M, X.C.DstType, X.C.SrcType);
  const Register &Src = X.read(X.C.Src0), &Old = X.read(X.C.Dst);
  const MaskRegister &Mask = X.mask();
  LaneShape L = LaneShape::of(Elem::U8, false);
  X.use(Src, Mask, L);
  X.useWhole(Old);
  LaneFlags Flags(X);
  Flags.from(Old, LaneShape::of(Elem::U16, false));
  uint32_t Seen[256] = {};
  for (uint32_t I = 0; I < L.Num; ++I)
    if (Mask.test(I)) {
      ++Seen[Src.Bytes[I]];
      for (uint32_t N = 0; N < 128 && X.Seen && Src.Suspect; ++N)
        Flags.lane(N, Src.Undefined[I], Src);
    }
  uint16_t Count[128];
  std::memcpy(Count, Old.Bytes, sizeof Count);
  uint32_t Sum = 0, First = X.C.High ? 128 : 0;
  for (uint32_t N = 0; N < 128; ++N) {
    Sum = X.C.Count ? Sum + Seen[First + N] : Seen[First + N];
    Count[N] = static_cast<uint16_t>(Count[N] + Sum);
  }
  takeResult(X, reinterpret_cast<const uint8_t *>(Count), nullptr,
             LaneShape::of(Elem::U16, false), Flags);
}

} // namespace

void computeReduced(const Micro &X) {
  uint32_t Size = bytesOf(X.C.SrcType);
  LaneShape L = LaneShape::of(X.C.SrcType, X.C.Two);
  switch (X.C.Op) {
  case RegisterOp::ReduceAll:
    return reduceLanes(X, findReduce(X.C.Reduce, X.C.DstType, X.C.SrcType),
                       L.Num, X.C.Reduce != ReduceOp::Sum);
  case RegisterOp::ReduceBlock:
    if (Size > 4)
      unsupportedType(X.M, X.C.DstType, X.C.SrcType);
    return reduceLanes(X, findReduce(X.C.Reduce, X.C.DstType, X.C.SrcType),
                       32 / Size, false);
  case RegisterOp::ReducePair: {
    bool Has = X.C.SrcType == Elem::F16 || X.C.SrcType == Elem::F32;
    return reduceLanes(
        X, Has ? findReduce(ReduceOp::Sum, X.C.DstType, X.C.SrcType) : nullptr,
        2, false);
  }
  default:
    return histogram(X);
  }
}

} // namespace belay::sim
