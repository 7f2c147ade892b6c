//===- SyncLadder.h - From fast order to slow order -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is never refused because its flags could not be placed: what the
// proof of order does not accept is ordered more strictly, rung by rung.
//
//   0  flags and barriers by runs of the kernel
//   1  for each pair that the proof names, one more flag or barrier
//   2  loops around such a pair use one slot instead of two
//   3  before the instruction that the proof names, all pipes wait
//   4  before each instruction, all pipes wait
//
// The last rung has no flags, and nothing is open before any instruction, so
// that the proof accepts it. The proof shares no code with any of this: it is
// asked about a clone of the kernel, and answers with pairs of operations.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_PASSES_SYNCLADDER_H
#define BELAY_PASSES_SYNCLADDER_H

#include "passes/SyncPlanner.h"
#include "targets/Target.h"

namespace belay::passes {

struct LadderOptions {
  unsigned MostRuns = 20; ///< Of the kernel, for rung 0.
  unsigned FirstRung = 0;
  /// Turns the clone, with its flags and barriers, into what will be proven in
  /// the end. All operations of the clone have the attribute `ascend.origin`;
  /// what replaces one of them has it as well, or is inside of one that has.
  llvm::function_ref<mlir::LogicalResult(mlir::func::FuncOp)> PrepareClone;
};

struct LadderResult {
  SyncPlan Plan; ///< Already in the kernel.
  unsigned Rung = 0;
  unsigned Proofs = 0;
  uint64_t Steps = 0;
};

/// Orders a kernel; each rung above the first is a remark with its reason.
/// Fails if an instruction cannot be described.
mlir::FailureOr<LadderResult> orderInstructions(mlir::func::FuncOp Kernel,
                                                analysis::OrderRules Rules,
                                                const LadderOptions &Options);

} // namespace belay::passes

#endif // BELAY_PASSES_SYNCLADDER_H
