//===- SyncPlan.h - Flags and barriers to be --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_SYNCPLAN_H
#define BELAY_PASSES_SYNCPLAN_H

#include "dialect/Ascend.h"
#include "dialect/Loops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace belay::passes {

/// A flag: raised after one operation, awaited before another of the same
/// block. If a loop carries it, the wait belongs to the next iteration: it is
/// up between iterations, and so before and after the loop as well. It is
/// raised first before the outermost loop around, and awaited last after that.
struct Flag {
  mlir::Operation *After, *Before;
  ascend::Pipe From, To;
  mlir::LoopLikeOpInterface CarriedBy;
  /// Alternates between two events with this loop's slots.
  mlir::scf::ForOp SlotLoop;
  unsigned Event = 0;
  /// Not to be left out, whatever runs of the kernel say; and what to tell of
  /// it, if anything.
  bool Pinned = false;
  std::string Reason = {};
  /// Its events are no other flag's.
  bool Alone = false;

  unsigned events() const { return SlotLoop ? 2 : 1; }
  /// Whether both are flags of the same pipes, or between the same cores.
  bool sharesEventsWith(const Flag &Other) const;
  /// Whether they are, and have an event in common.
  bool hasEventOf(const Flag &Other) const;
  /// The outermost loop around the one that carries it, or null.
  mlir::LoopLikeOpInterface outermost();
};

/// A barrier before an operation, inside one pipe or for all.
struct Barrier {
  mlir::Operation *Before;
  std::optional<ascend::Pipe> On;
  bool Pinned = false; ///< As for a flag.
  std::string Reason = {};
};

/// What orders the instructions of a kernel; nothing of it is in the IR yet.
struct SyncPlan {
  std::vector<Flag> Flags;
  std::vector<Barrier> Barriers;

  size_t size() const { return Flags.size() + Barriers.size(); }
  /// False if it is there already.
  bool addBarrier(Barrier New);
};

/// What an operation of a plan becomes in the kernel that is written to.
using OperationMap = llvm::function_ref<mlir::Operation *(mlir::Operation *)>;
/// Hears of each operation that is written: the index of its flag in the plan,
/// if it is of one, and the operation of the plan that it stands next to.
using WrittenCallback = llvm::function_ref<void(
    mlir::Operation *, std::optional<unsigned>, mlir::Operation *)>;

/// Writes a plan into a kernel.
void writePlan(SyncPlan Plan, OperationMap Map, WrittenCallback Written);

} // namespace belay::passes

#endif // BELAY_PASSES_SYNCPLAN_H
