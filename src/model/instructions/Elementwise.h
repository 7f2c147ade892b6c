//===- Elementwise.h - Running a plain loop over masked lanes ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_ELEMENTWISE_H
#define BELAY_MODEL_INSTRUCTIONS_ELEMENTWISE_H

#include "model/core/Issue.h"
#include "model/instructions/Dtypes.h"
#include "model/instructions/Lanes.h"
#include "model/instructions/Values.h"

// Operands of a vector instruction overlap fully or not at all; the device
// promises nothing otherwise. So each loop may be vectorised as it stands.
#define BELAY_LANES _Pragma("clang loop vectorize(assume_safety)")

namespace belay::sim {

using UnaryFn = void (*)(void *Dst, const void *Src, size_t N);
using BinaryFn = void (*)(void *Dst, const void *Src0, const void *Src1,
                          size_t N);
using ScalarFn = void (*)(void *Dst, const void *Src, const void *Scalar,
                          size_t N);

/// D[i] = f(A[i]) in the arithmetic of T.
template <typename T, auto F> void mapUnary(void *D, const void *A, size_t N) {
  auto *Dst = static_cast<T *>(D);
  const auto *Src = static_cast<const T *>(A);
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    Dst[I] = static_cast<T>(F(static_cast<Wide<T>>(Src[I])));
}

/// D[i] = f(D[i], A[i], B[i]); most operations ignore the old destination.
template <typename T, typename U, auto F>
void mapBinary(void *D, const void *A, const void *B, size_t N) {
  auto *Dst = static_cast<T *>(D);
  const auto *Src0 = static_cast<const U *>(A);
  const auto *Src1 = static_cast<const U *>(B);
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    Dst[I] = static_cast<T>(F(static_cast<Wide<T>>(Dst[I]),
                              static_cast<Wide<U>>(Src0[I]),
                              static_cast<Wide<U>>(Src1[I])));
}

/// D[i] = f(D[i], A[i], s).
template <typename T, typename U, auto F>
void mapScalar(void *D, const void *A, const void *S, size_t N) {
  auto *Dst = static_cast<T *>(D);
  const auto *Src = static_cast<const U *>(A);
  const auto Scalar = static_cast<Wide<U>>(*static_cast<const U *>(S));
  BELAY_LANES
  for (size_t I = 0; I < N; ++I)
    Dst[I] = static_cast<T>(
        F(static_cast<Wide<T>>(Dst[I]), static_cast<Wide<U>>(Src[I]), Scalar));
}

/// With saturation on, a 16-bit float that overflowed becomes the largest
/// finite one and NaN becomes 0. Either is told to whoever asks for it.
void saturateFloats(const Registers &R, const Lanes &L, const Stride &S,
                    void *Dst, Elem T);

inline uint8_t *at(void *P, uint64_t Offset) {
  return static_cast<uint8_t *>(P) + Offset;
}
inline const uint8_t *at(const void *P, uint64_t Offset) {
  return static_cast<const uint8_t *>(P) + Offset;
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_ELEMENTWISE_H
