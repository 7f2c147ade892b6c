//===- Conflicts.h - What instructions touch --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_CONFLICTS_H
#define BELAY_PASSES_CONFLICTS_H

#include "dialect/Ascend.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace belay::passes {

/// One operand of an instruction in memory: a planned buffer, or a window of a
/// view.
struct Access {
  mlir::Value Operand;
  bool Write;
  mlir::Value View; ///< Null for a buffer.
  ascend::MemorySpace Space = ascend::MemorySpace::GM;
  /// Bytes of a buffer's first slot; the others follow.
  int64_t Begin = 0, End = 0;
  /// The loop that moves on to the next slot with each turn.
  mlir::scf::ForOp SlotLoop;
};

/// An instruction with what it touches, found once for each operation.
struct Instruction {
  mlir::Operation *Op;
  ascend::Pipe On;
  llvm::SmallVector<Access, 3> Accesses;
};

/// Fails, with a message, for a buffer without a place.
mlir::FailureOr<Instruction> describe(ascend::InstructionInterface Op);

/// The loop whose turns alternate between slots, or null.
mlir::scf::ForOp slotLoopOf(mlir::Value Slot);

/// Whether the scalar unit does part of an instruction, between a wait for the
/// instruction's own pipe and a sign to it.
bool usesScalarUnit(mlir::Operation *Op);

/// Whether two views may share memory. The launcher keeps what is written apart
/// from all other arguments.
bool mayOverlap(mlir::Value A, mlir::Value B);

/// Which turn of which loops an instruction belongs to, or which branch: (loop
/// or branch, number).
using Path = llvm::SmallVector<std::pair<mlir::Operation *, unsigned>, 4>;

/// Whether two executions of instructions touch the same memory, at least one
/// of them writing. Views may overlap unless their roles say otherwise.
bool conflict(const Instruction &A, const Path &PathA, const Instruction &B,
              const Path &PathB);

} // namespace belay::passes

#endif // BELAY_PASSES_CONFLICTS_H
