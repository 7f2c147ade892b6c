//===- Stages.h - Vector instructions between barriers ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions of the vector unit that depend on each other need a barrier
// between them, and one barrier serves all that come before and after it. A
// stage is a run of instructions that needs none inside: as long as their
// buffers do not share memory either.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_STAGES_H
#define BELAY_PASSES_STAGES_H

#include "dialect/Ascend.h"
#include "llvm/ADT/DenseMap.h"

namespace belay::passes {

/// Whether two instructions whose buffers have no places yet use the same
/// memory, at least one of them writing.
bool dependOnEachOther(mlir::Operation *A, mlir::Operation *B);

/// Whether an instruction runs on the vector unit.
bool isVector(mlir::Operation *Op);

/// The stages of all blocks of a kernel, in the order that they have now.
class Stages {
public:
  explicit Stages(mlir::Operation *Kernel);

  /// First and last instruction of the stage that a vector instruction belongs
  /// to; for all others, themselves.
  std::pair<mlir::Operation *, mlir::Operation *>
  around(mlir::Operation *Op) const;

  bool areTogether(mlir::Operation *A, mlir::Operation *B) const;

  /// Whether an instruction belongs to the first, or the last, of a block's
  /// stages, if it has several.
  bool isFirst(mlir::Operation *Op) const;
  bool isLast(mlir::Operation *Op) const;

private:
  using Stage = llvm::SmallVector<mlir::Operation *, 4>;
  void divide(mlir::Block &Block);

  struct Place {
    unsigned Stage, First, Last; ///< Of the block's first and last stage.
  };
  std::vector<Stage> All;
  llvm::DenseMap<mlir::Operation *, Place> Places;
};

} // namespace belay::passes

#endif // BELAY_PASSES_STAGES_H
