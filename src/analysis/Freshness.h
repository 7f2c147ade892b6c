//===- Freshness.h - What the data cache may have of views ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Single elements of global memory are read and written through the data cache
// of a core, which copy engines and other cores do not see. A read is fresh if
// the cache was cleaned of it and nothing but this core's scalar unit can have
// written to the argument since; a write is seen by others if the line is
// cleaned right after it.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_FRESHNESS_H
#define BELAY_ANALYSIS_FRESHNESS_H

#include "analysis/Obligations.h"
#include "dialect/Ascend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace belay::analysis {

/// The cleanings of the cache that hold at each read of a single element.
class Freshness {
public:
  using Cleans = llvm::SmallSetVector<ascend::CacheCleanOp, 4>;

  explicit Freshness(mlir::func::FuncOp Kernel);

  /// Those that were executed on every path to the read, since which nothing
  /// else has written to the argument.
  llvm::ArrayRef<ascend::CacheCleanOp> before(ascend::GlobalReadOp Read) const;

private:
  void run(mlir::Block &Block, Cleans &State);
  void runOp(mlir::Operation *Op, Cleans &State);
  void runLoop(mlir::Operation *Loop, Cleans &State);

  llvm::DenseMap<mlir::Operation *, Cleans> AtReads;
};

/// That an element lies in the window that was cleaned, of the same view.
Obligation isCleaned(ascend::GlobalReadOp Read, ascend::CacheCleanOp Clean,
                     Terms &T);

/// Whether the line of a written element is cleaned before anything else
/// happens.
bool isCleanedAfter(ascend::GlobalWriteOp Write);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_FRESHNESS_H
