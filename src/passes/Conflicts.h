//===- Conflicts.h - What instructions touch --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_CONFLICTS_H
#define BELAY_PASSES_CONFLICTS_H

#include "dialect/Ascend.h"
#include "dialect/Loops.h"

namespace belay::passes {

/// A window of a view, with the most elements that it can have in each
/// dimension: those of the buffer at its other end.
struct Window {
  mlir::Value View;
  llvm::SmallVector<mlir::OpFoldResult> Offsets;
  llvm::SmallVector<int64_t> MostSizes;
};

/// One operand of an instruction in memory: a planned buffer, or a window of a
/// view.
struct Access {
  mlir::Value Operand;
  bool Write;
  mlir::Value View; ///< Null for a buffer.
  std::optional<Window> Part;
  ascend::MemorySpace Space = ascend::MemorySpace::GM;
  /// Bytes of a buffer's first slot; the others follow.
  int64_t Begin = 0, End = 0;
  /// The loop that moves on to the next slot with each iteration.
  mlir::scf::ForOp SlotLoop;
};

/// An instruction with what it touches, found once for each operation.
struct Instruction {
  mlir::Operation *Op;
  ascend::Pipe On;
  llvm::SmallVector<Access, 3> Accesses;
  llvm::SmallVector<mlir::LoopLikeOpInterface, 3>
      Loops; ///< From the outermost.
  unsigned Index = 0;
};

/// Fails, with a message, for a buffer without a place.
mlir::FailureOr<Instruction> describe(ascend::InstructionInterface Op);

/// The loop whose iterations alternate between slots, or null.
mlir::scf::ForOp slotLoopOf(mlir::Value Slot);

/// Whether the scalar unit does part of an instruction, between a wait for the
/// instruction's own pipe and a signal to it.
bool usesScalarUnit(mlir::Operation *Op);

/// Whether two views may share memory. The launcher keeps what is written apart
/// from all other arguments.
bool mayOverlap(mlir::Value A, mlir::Value B);

/// Which iteration of which loops an instruction belongs to, or which branch:
/// (loop or branch, number).
using Path = llvm::SmallVector<std::pair<mlir::Operation *, unsigned>, 4>;

/// How two instructions may touch the same memory, at least one of them
/// writing: by which accesses, and in which iterations not.
struct Overlap {
  const Access *First, *Second;
  /// Bit I is set if they are apart where iterations of the I-th loop around
  /// both differ, but not of the loops around it; the bit after the last loop,
  /// if they are in the same iteration of all.
  uint32_t Apart = 0;
};

/// All ways in which A, which comes first, and B may do so. Views may overlap
/// unless their roles say otherwise.
llvm::SmallVector<Overlap, 1> overlaps(const Instruction &A,
                                       const Instruction &B);

/// Whether two executions do.
bool conflict(llvm::ArrayRef<Overlap> Ways, const Path &PathA,
              const Path &PathB);

} // namespace belay::passes

#endif // BELAY_PASSES_CONFLICTS_H
