//===- Fractals.h - Matrices in the memories of the cube --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_FRACTALS_H
#define BELAY_DIALECT_FRACTALS_H

#include "dialect/Ascend.h"

namespace belay::ascend {

/// Rows of a fractal, and columns of one in L0C.
inline constexpr int64_t FractalRows = 16;
inline constexpr int64_t FractalBytes = 512;

/// Elements of a block of 32 bytes: the columns of a fractal, C0.
int64_t blockElements(mlir::Type Element);

/// What a dot of elements of that type adds up in; null if it has none.
mlir::Type sumTypeOf(mlir::Type Element);

/// Rows and columns that a buffer has room for.
struct MatrixRoom {
  int64_t Rows, Cols;
};

/// Of a buffer `<blocks x rows x inner>`; nothing for others.
std::optional<MatrixRoom> blockedRoom(mlir::MemRefType Buffer, int64_t Inner);
/// Of an operand in L1, and of sums in L0C.
std::optional<MatrixRoom> operandRoom(mlir::MemRefType Buffer);
std::optional<MatrixRoom> sumRoom(mlir::MemRefType Buffer);
/// Of a buffer `<outer x inner x 16 x C0>` in L0A or L0B: rows and columns of
/// the left or of the right operand of a product.
std::optional<MatrixRoom> fractalRoom(mlir::MemRefType Buffer);

} // namespace belay::ascend

#endif // BELAY_DIALECT_FRACTALS_H
