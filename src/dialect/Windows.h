//===- Windows.h - Windows of views, in both levels -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_WINDOWS_H
#define BELAY_DIALECT_WINDOWS_H

#include "dialect/Ascend.h"

namespace belay::ascend {

/// What is on chip at the other end of a window: extents, which may be dynamic,
/// and the space for them.
struct WindowTarget {
  mlir::Type Element;
  llvm::SmallVector<int64_t, 2> Extents;
  llvm::SmallVector<int64_t, 2> Capacity;
};

/// Constraints (W1) to (W4).
mlir::LogicalResult verifyWindow(mlir::Operation *Op, mlir::MemRefType View,
                                 llvm::ArrayRef<int64_t> Offsets,
                                 llvm::ArrayRef<int64_t> Sizes,
                                 const WindowTarget &Target);

/// Constraint (W6).
mlir::LogicalResult verifyAtomic(mlir::Operation *Op,
                                 std::optional<Combine> Combine);

} // namespace belay::ascend

#endif // BELAY_DIALECT_WINDOWS_H
