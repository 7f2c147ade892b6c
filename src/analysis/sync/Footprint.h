//===- Footprint.h - Which memory an instruction uses -----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_SYNC_FOOTPRINT_H
#define BELAY_ANALYSIS_SYNC_FOOTPRINT_H

#include "analysis/sync/MemoryRegion.h"

namespace belay::analysis {

/// All that an instruction uses, described once.
struct Footprint {
  struct Use {
    MemoryRegion Where;
    /// By the scalar unit, between a wait for the instruction's own pipe and a
    /// signal to it: ordered with all else on that pipe.
    bool ByScalarUnit = false;
  };
  llvm::SmallVector<Use, 3> Uses;
  /// Around it, from the outermost.
  llvm::SmallVector<mlir::LoopLikeOpInterface, 3> Loops;
  ascend::Pipe On = ascend::Pipe::S;
  /// How it combines with global memory; additions commute.
  ascend::CombineAttr Combine;
  bool Writes = false;
  /// Begins with a wait of the scalar unit for its own pipe.
  bool WaitsForItsPipe = false;
};

/// Fails for a buffer that has no place.
mlir::FailureOr<Footprint> footprintOf(ascend::InstructionInterface Op);

/// How two executions relate: the index, from the outside, of the outermost
/// loop around both whose iterations differ, or the number of such loops if
/// none does. Loops deeper than the last index count as one.
using Relation = unsigned;
constexpr Relation LastRelation = 15;
using Relations = uint16_t; ///< A set of them.
constexpr Relations AnyRelation = 0xffff;

/// When two instructions use the same memory, at least one of them writing.
struct Sharing {
  Relations When = 0;
  /// Only while this loop has the same slot for both, if there is one.
  mlir::scf::ForOp SlotLoop;
};

/// All ways in which they do, one being executed before the other: a copy in
/// and a copy out may share a buffer in every other iteration, and a view in
/// the same one. Empty if never.
using Sharings = llvm::SmallVector<Sharing, 1>;
Sharings sharingsOf(const Footprint &Before, const Footprint &Now);

/// The loops around an operation, from the outermost.
llvm::SmallVector<mlir::LoopLikeOpInterface, 3>
loopsAround(mlir::Operation *Op);

/// How many loops are around both.
unsigned commonLoops(llvm::ArrayRef<mlir::LoopLikeOpInterface> A,
                     llvm::ArrayRef<mlir::LoopLikeOpInterface> B);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_SYNC_FOOTPRINT_H
