//===- Loops.h - Loops of instructions --------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two operations are loops: scf.for, whose variable counts, and scf.while,
// whose condition is computed before each iteration. What the first carries is
// an argument of its one block; what the second carries goes through the
// condition.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_DIALECT_LOOPS_H
#define BELAY_DIALECT_LOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace belay::ascend {

inline bool isLoop(mlir::Operation *Op) {
  return mlir::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(Op);
}

/// What a loop executes in each iteration.
inline mlir::Block *bodyOf(mlir::LoopLikeOpInterface Loop) {
  return &Loop.getLoopRegions().back()->front();
}

/// What computes whether there is another iteration, once more than the body;
/// null for a loop that counts.
inline mlir::Block *conditionOf(mlir::LoopLikeOpInterface Loop) {
  auto While = mlir::dyn_cast<mlir::scf::WhileOp>(Loop.getOperation());
  return While ? While.getBeforeBody() : nullptr;
}

} // namespace belay::ascend

#endif // BELAY_DIALECT_LOOPS_H
