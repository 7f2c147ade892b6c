//===- SoftmaxTiling.h - Steps of the softmax family ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax works on rows: M of them, K elements each. The scratch space
// decides how many rows one step takes. Hosts ask, and so do kernels.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_SOFTMAXTILING_H
#define BELAY_ABI_SOFTMAXTILING_H

#include <cstdint>

namespace belay::sim {

inline constexpr uint32_t SoftmaxReduceK = 64; // one repeat of floats

/// Elements of float scratch for a number of rows: the rows themselves, one
/// block of partial results per row, and one repeat per row.
constexpr uint32_t softmaxScratch(uint32_t Rows, uint32_t K, bool WholeRow) {
  constexpr uint32_t Block = 8;
  return Rows * (Block + SoftmaxReduceK + (WholeRow ? K : 0));
}

/// Rows of one step.
constexpr uint32_t softmaxRows(uint32_t M, uint32_t K, uint32_t ScratchElements,
                               bool WholeRow) {
  uint32_t Rows = ScratchElements / softmaxScratch(1, K, WholeRow);
  if (Rows >= M)
    Rows = M;
  else if (Rows > 8)
    Rows = Rows / 8 * 8;
  return Rows ? Rows : 1;
}

} // namespace belay::sim

#endif // BELAY_ABI_SOFTMAXTILING_H
