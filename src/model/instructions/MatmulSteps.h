//===- MatmulSteps.h - In which steps a Matmul object computes --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_MATMULSTEPS_H
#define BELAY_MODEL_INSTRUCTIONS_MATMULSTEPS_H

#include "abi/Matmul.h"
#include "model/core/Device.h"

#include <algorithm>

namespace belay::sim {

/// One block of C, and the part of K that it is computed from.
struct Step {
  uint32_t M, N, Rows, Columns; // where in this core's part of C
  uint32_t K, Depth;            // of its factors
};

/// Steps along m and n; checkTiling knows that all sizes are above 0.
inline int64_t stepsAlong(int32_t Single, int32_t Base) {
  return static_cast<int64_t>(divideUp(uint32_t(Single), uint32_t(Base)));
}

inline int64_t stepsAlongK(const MatmulState *S) {
  return S->PartialK ? stepsAlong(S->SingleK, S->BaseK) : 1;
}

/// Parts of K come one after the other, then the next block.
inline Step stepAt(const MatmulState *S, int64_t Index) {
  int64_t KSteps = stepsAlongK(S), Block = Index / KSteps;
  int64_t MSteps = stepsAlong(S->SingleM, S->BaseM);
  int64_t NSteps = stepsAlong(S->SingleN, S->BaseN);
  int64_t M = (S->AlongN ? Block / NSteps : Block % MSteps) * S->BaseM;
  int64_t N = (S->AlongN ? Block % NSteps : Block / MSteps) * S->BaseN;
  int64_t K = S->PartialK ? Index % KSteps * S->BaseK : 0;
  int64_t Depth = S->PartialK ? S->BaseK : S->SingleK;
  return {uint32_t(M),
          uint32_t(N),
          uint32_t(std::min<int64_t>(S->BaseM, S->SingleM - M)),
          uint32_t(std::min<int64_t>(S->BaseN, S->SingleN - N)),
          uint32_t(K),
          uint32_t(std::min<int64_t>(Depth, S->SingleK - K))};
}

/// Of a hostile tiling, as many as there can be.
inline int64_t stepsOf(const MatmulState *S) {
  int64_t Blocks =
      stepsAlong(S->SingleM, S->BaseM) * stepsAlong(S->SingleN, S->BaseN);
  int64_t KSteps = stepsAlongK(S);
  return Blocks > INT64_MAX / KSteps ? INT64_MAX : Blocks * KSteps;
}

/// Whether a triangle leaves the step out.
inline bool isLeftOut(const MatmulState *S, int64_t Index) {
  if (S->Keeps == MatmulState::Triangle::None)
    return false;
  Step P = stepAt(S, Index);
  int64_t M = P.M / uint32_t(S->BaseM), N = P.N / uint32_t(S->BaseN);
  return S->Keeps == MatmulState::Triangle::Upper ? M > N : M < N;
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_MATMULSTEPS_H
