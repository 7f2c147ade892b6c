//===- Uniformity.h - What is the same on all cores -------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_UNIFORMITY_H
#define BELAY_ANALYSIS_UNIFORMITY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace belay::analysis {

/// Which values of a kernel every core computes equally. What is loaded from
/// global memory is never among them: another core may be writing it.
class Uniformity {
public:
  explicit Uniformity(mlir::func::FuncOp Kernel);

  bool isUniform(mlir::Value Value) const { return !Varies.contains(Value); }

  /// The innermost loop or branch around an operation that not all cores go
  /// through equally; null if there is none.
  mlir::Operation *divergenceAround(mlir::Operation *Op) const;

private:
  bool update(mlir::Operation *Op);
  bool controlVaries(mlir::Operation *Op) const;
  bool mark(mlir::Value Value, bool DoesVary);

  llvm::DenseSet<mlir::Value> Varies;
};

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_UNIFORMITY_H
