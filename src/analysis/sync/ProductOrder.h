//===- ProductOrder.h - Products that the hardware orders -------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products that are added to the same sums are ordered by the cube itself, as
// long as the sums have enough fractals; with fewer, they need a barrier of M.
// Sizes are known when the kernel runs, so that the barrier is under a
// condition directly before the product.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_SYNC_PRODUCTORDER_H
#define BELAY_ANALYSIS_SYNC_PRODUCTORDER_H

#include "analysis/sync/Footprint.h"

namespace belay::analysis {

/// In which relations an instruction starts after an earlier one by the rule
/// above: both are products in the same sums, while these exist, and of the
/// same size.
Relations orderedProducts(mlir::Operation *Before, mlir::Operation *Now);

/// In which relations two executions of a load write to different rows of
/// fractals, which a loop counts and which all have the same length.
Relations separateFractals(mlir::Operation *Before, mlir::Operation *Now);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_SYNC_PRODUCTORDER_H
