//===- Pieces.h - The contiguous pieces of an operand -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANITIZER_PIECES_H
#define BELAY_SANITIZER_PIECES_H

#include "model/core/Observer.h"

namespace belay::sim {

/// Calls Piece(Offset, Bytes) for each contiguous piece of an operand, in the
/// order in which the instruction walks them.
template <typename Fn> void forEachPiece(const Extent &E, Fn Piece) {
  auto BlockStride = static_cast<uint64_t>(E.BlockStride);
  auto RepeatStride = static_cast<uint64_t>(E.RepeatStride);
  bool OneRun = E.Blocks == 1 || BlockStride == E.BlockBytes;
  uint64_t Run = OneRun ? E.BlockBytes * E.Blocks : E.BlockBytes;
  if (OneRun && (E.Repeats == 1 || RepeatStride == Run))
    return Piece(uint64_t(0), Run * E.Repeats);
  for (uint64_t R = 0; R < E.Repeats; ++R)
    for (uint64_t B = 0; B < (OneRun ? 1 : E.Blocks); ++B)
      Piece(R * RepeatStride + B * BlockStride, Run);
}

} // namespace belay::sim

#endif // BELAY_SANITIZER_PIECES_H
