//===- ReduceLanes.h - What all reductions share ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_REDUCELANES_H
#define BELAY_MODEL_INSTRUCTIONS_REDUCELANES_H

#include "abi/Reduce.h"
#include "model/core/Issue.h"
#include "model/instructions/Elementwise.h"

#include <cstring>
#include <limits>

namespace belay::sim {

template <typename T>
inline constexpr uint32_t LanesOf = RepeatBytes / sizeof(T);

/// Adds with one rounding, in the arithmetic of T; integers wrap.
template <typename T> T plus(T A, T B) {
  return static_cast<T>(wrap(static_cast<Wide<T>>(A)) +
                        wrap(static_cast<Wide<T>>(B)));
}

/// What can be added without a trace: -0 keeps the sign of every zero.
template <typename T> T nothing() {
  if constexpr (IsFloat<T>)
    return static_cast<T>(-0.0f);
  else
    return T(0);
}

/// Sums neighbours, then sums of neighbours, and so on: the order in which the
/// device adds within a block or a repeat. N is a power of two; Row is spent.
template <typename T> T treeSum(T *Row, uint32_t N) {
  for (; N > 1; N /= 2)
    for (uint32_t I = 0; I < N / 2; ++I)
      Row[I] = plus(Row[size_t(2) * I], Row[size_t(2) * I + 1]);
  return Row[0];
}

/// Whether A goes before B. The first of equals stays; NaN goes before all.
template <ReduceOp Op, typename T> bool beats(T A, T B) {
  if constexpr (IsFloat<T>)
    if (A != A)
      return B == B;
  return Op == ReduceOp::Max ? A > B : A < B;
}

template <typename T> struct Best {
  T Value;
  uint32_t Index; // lane
};

inline bool takesPart(const Lanes &L, uint32_t Lane, uint32_t Active) {
  return Lane < Active && (!L.Sparse || L.lane(Lane));
}

inline uint32_t activeOf(const Lanes &L, uint64_t Repeat) {
  return Repeat + 1 == L.Repeats ? L.LastActive : L.Active;
}

/// Copies the blocks of one repeat side by side.
template <typename T>
void loadRow(T *Row, const Lanes &L, const Stride &S, const void *Src,
             uint64_t Repeat) {
  const uint8_t *From = at(Src, Repeat * S.Repeat * BlockBytes);
  uint32_t Bytes = activeOf(L, Repeat) * sizeof(T);
  if (S.Block == 1) {
    std::memcpy(Row, From, Bytes);
    return;
  }
  auto *To = reinterpret_cast<uint8_t *>(Row);
  for (uint64_t B = 0; B * BlockBytes < Bytes; ++B)
    std::memcpy(To + B * BlockBytes, From + B * S.Block * BlockBytes,
                std::min<uint64_t>(BlockBytes, Bytes - B * BlockBytes));
}

/// One repeat as terms of a sum: lanes that take no part add nothing.
template <typename T>
void loadTerms(T *Row, const Lanes &L, const Stride &S, const void *Src,
               uint64_t Repeat) {
  loadRow(Row, L, S, Src, Repeat);
  uint32_t Active = activeOf(L, Repeat);
  if (L.Sparse)
    for (uint32_t I = 0; I < Active; ++I)
      if (!L.lane(I))
        Row[I] = nothing<T>();
  for (uint32_t I = Active; I < L.PerRepeat; ++I)
    Row[I] = nothing<T>();
}

/// The best of lanes [Begin, End) that take part; Index is End if none does.
template <ReduceOp Op, typename T>
Best<T> bestOf(const T *Row, const Lanes &L, uint32_t Active, uint32_t Begin,
               uint32_t End) {
  Best<T> Found = {T(), End};
  for (uint32_t I = Begin; I < End && I < Active; ++I) {
    if (L.Sparse && !L.lane(I))
      continue;
    if (Found.Index == End || beats<Op>(static_cast<Wide<T>>(Row[I]),
                                        static_cast<Wide<T>>(Found.Value)))
      Found = {Row[I], I};
  }
  return Found;
}

template <typename T> uint64_t bitsOf(T Value) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, &Value, sizeof(T));
  return Bits;
}

/// Repeats and strides are int32_t in these APIs; the instruction's fields are
/// narrower.
inline void checkRange(Issue &I, const char *What, int64_t Value,
                       int64_t Highest) {
  if (Value < 0 || Value > Highest)
    fail("bad-repeat", I.pc(), "split the call, or correct the value",
         "%s has %s %lld, but it must be in [0, %lld]", I.name(), What,
         static_cast<long long>(Value), static_cast<long long>(Highest));
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_REDUCELANES_H
