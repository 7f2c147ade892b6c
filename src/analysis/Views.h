//===- Views.h - Extents of views and tiles ---------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_VIEWS_H
#define BELAY_ANALYSIS_VIEWS_H

#include "dialect/Ascend.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace belay::analysis {

/// The view that this one is made from; nothing for an argument.
mlir::Value sourceOf(mlir::Value View);

/// The dimension of the source that is dimension Dim of a part of it.
unsigned sourceDim(mlir::memref::SubViewOp Part, unsigned Dim);

/// The argument of the kernel that a view is part of, if it is one.
mlir::Value rootOf(mlir::Value View);

/// What the kernel may do with it.
std::optional<ascend::Role> roleOf(mlir::Value View);

/// Whether nothing in the kernel writes to what a view is part of: a read of it
/// cannot be stale.
bool isOnlyRead(mlir::Value View);

/// Rows (0) or columns (1) that the window of a load or store has.
mlir::OpFoldResult windowExtent(mlir::Operation *Op, unsigned Dim);

/// Rows (0) or columns (1) of a tile, as a value that is there wherever the
/// tile is. Nothing, if there is none.
mlir::OpFoldResult tileExtent(mlir::Value Tile, unsigned Dim);

/// Whether a broadcast repeats along that dimension.
bool isRepeated(ascend::BroadcastOp Op, unsigned Dim);

/// The operand that decides the extents of an elementwise operation; nothing
/// for any other.
mlir::Value firstElementwiseOperand(mlir::Operation *Op);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_VIEWS_H
