//===- SplitCores.h - The part of a kernel that one core runs ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_EMIT_SPLITCORES_H
#define BELAY_EMIT_SPLITCORES_H

#include "dialect/Pipes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace belay::emit {

/// The cores that instructions of a kernel belong to.
struct UsedCores {
  bool Cube = false, Vector = false;
  bool both() const { return Cube && Vector; }
};
UsedCores coresOf(mlir::func::FuncOp Kernel);

/// Leaves of a kernel what one core executes: its instructions, the flags that
/// it raises and awaits, and the control flow around them. Fails if that
/// depends on a number that the other core reads.
mlir::LogicalResult keepCore(mlir::func::FuncOp Kernel, ascend::Core Core);

} // namespace belay::emit

#endif // BELAY_EMIT_SPLITCORES_H
