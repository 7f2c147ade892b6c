//===- Cores.h - What several cores may do together -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_CORES_H
#define BELAY_ANALYSIS_CORES_H

#include "analysis/Prover.h"
#include "analysis/Uniformity.h"

namespace belay::analysis {

/// Whether two operations can run on two cores without a barrier of all cores
/// between them.
struct Concurrency {
  bool IsPossible = true;
  /// Loops around both that are then in the same iteration on both cores.
  llvm::SmallVector<mlir::Operation *, 2> Together;
};
Concurrency findConcurrency(mlir::Operation *A, mlir::Operation *B);

/// Every barrier is reached by every core, equally often.
void proveBarriers(mlir::func::FuncOp Kernel, const Uniformity &U, Verdicts &V);

/// No core touches what another writes, unless a barrier is between them or
/// both combine atomically.
void proveDisjointness(mlir::func::FuncOp Kernel, const Uniformity &U,
                       Verdicts &V);

/// Arguments are used as their roles say: `in` is not written, what is read of
/// `out` and `percore` has been written. T is what is known at Op.
void proveRole(mlir::Operation *Op, const Uniformity &U, Terms &T, Verdicts &V);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_CORES_H
