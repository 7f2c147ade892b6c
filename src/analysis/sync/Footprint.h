//===- Footprint.h - Which memory an instruction uses -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_SYNC_FOOTPRINT_H
#define BELAY_ANALYSIS_SYNC_FOOTPRINT_H

#include "dialect/Ascend.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace belay::analysis {

/// When two instructions use the same memory, one of them writing.
struct Sharing {
  enum class Kind {
    Never,
    SameSlot, ///< In turns of Loop that are an even number apart.
    SameTurn, ///< Only in one turn of Loop.
    Always,
  };
  Kind When = Kind::Never;
  mlir::scf::ForOp Loop;

  bool operator==(const Sharing &Other) const {
    return When == Other.When && Loop == Other.Loop;
  }
};

/// All ways in which they do: a copy in and a copy out may share a buffer in
/// every other turn, and a view in the same turn. Empty if never.
using Sharings = llvm::SmallVector<Sharing, 1>;
Sharings sharingsOf(mlir::Operation *A, mlir::Operation *B);

/// The loop in which a value is 0 and 1 in turn, or null.
mlir::scf::ForOp alternatesIn(mlir::Value Slot);

/// Whether the scalar unit reads operands of an instruction, after a wait for
/// all that came before on the instruction's pipe.
bool readsByScalarUnit(mlir::Operation *Op);

/// Whether an instruction writes memory.
bool writesMemory(mlir::Operation *Op);

/// A buffer that an instruction uses and that has no place, or null.
mlir::Value unplacedBuffer(mlir::Operation *Op);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_SYNC_FOOTPRINT_H
