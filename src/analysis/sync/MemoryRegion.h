//===- MemoryRegion.h - A part of a memory ----------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operand of an instruction is described once and in one way, whether it
// lies in global memory or in a buffer: the memory that it is a part of, and
// for each dimension where it begins and the most elements that it reaches
// over. That a region stays inside its memory is proven elsewhere, so that two
// regions of one memory are apart if they are apart in one dimension.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_SYNC_MEMORYREGION_H
#define BELAY_ANALYSIS_SYNC_MEMORYREGION_H

#include "dialect/Ascend.h"
#include "dialect/Loops.h"

namespace belay::analysis {

/// A sum of values with factors, and a constant.
struct LinearOffset {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> Terms;
  int64_t Constant = 0;

  bool isConstant() const { return Terms.empty(); }
  bool operator==(const LinearOffset &) const = default;
};

struct Dimension {
  LinearOffset Begin;
  int64_t Most; ///< Elements, or Unbounded.
};

/// More elements than any memory has.
constexpr int64_t Unbounded = int64_t(1) << 62;

/// Where a buffer lies on the core, in bytes.
struct Placement {
  ascend::MemorySpace Space = ascend::MemorySpace::UB;
  int64_t Begin = 0, SlotBytes = 0, Slots = 1;
  mlir::Value Slot;
  mlir::scf::ForOp SlotLoop; ///< Alternates between two slots, or null.
  mlir::MemRefType Type;

  int64_t end() const { return Begin + Slots * SlotBytes; }
  /// Whether elements of the same indices are the same memory, in each slot.
  bool isSameAs(const Placement &Other) const;
};

struct MemoryRegion {
  /// What Dimensions count from: an argument, a buffer, or a view whose place
  /// in an argument cannot be told.
  mlir::Value Memory;
  llvm::SmallVector<Dimension, 2> Dimensions;
  bool Written = false;
  /// The view that all others are parts of; null for a buffer.
  mlir::Value Root;
  /// Of a buffer.
  Placement Place;
  /// Bytes of a slot that the region lies in.
  int64_t FirstByte = 0, EndByte = 0;
  /// It begins at the same constants always.
  bool Fixed = false;

  bool isGlobal() const { return bool(Root); }
};

/// The region of an operand that reaches over at most so many elements of each
/// dimension, from offsets on. Fails if it is in a buffer without a place.
mlir::FailureOr<MemoryRegion>
regionOf(mlir::Value Operand, llvm::ArrayRef<mlir::OpFoldResult> Offsets,
         llvm::ArrayRef<int64_t> Most);
/// All of the operand.
mlir::FailureOr<MemoryRegion> regionOf(mlir::Value Operand);

/// Whether two regions may overlap at all, by the memories they are in.
bool shareMemory(const MemoryRegion &A, const MemoryRegion &B);

/// Whether two regions that share memory are apart when both executions belong
/// to the same iteration of every loop around both.
bool areApart(const MemoryRegion &A, const MemoryRegion &B);

/// Whether they are apart when the outermost loop whose iterations differ is
/// the given one, and Now is in the later iteration.
bool areApartAcross(const MemoryRegion &Before, const MemoryRegion &Now,
                    mlir::LoopLikeOpInterface Loop);

/// The loop in which a value is 0 and 1 in alternating iterations, or null.
mlir::scf::ForOp alternatesIn(mlir::Value Slot);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_SYNC_MEMORYREGION_H
