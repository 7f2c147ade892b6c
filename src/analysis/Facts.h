//===- Facts.h - Single questions to the prover -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_FACTS_H
#define BELAY_ANALYSIS_FACTS_H

#include "mlir/IR/Value.h"

namespace belay::analysis {

/// Whether \p Number is at least \p Least whenever \p At is executed, by what
/// loops, branches, contracts and guards say. False if that is not found out
/// quickly.
bool isAtLeast(mlir::Operation *At, mlir::Value Number, int64_t Least);
bool isAtMost(mlir::Operation *At, mlir::Value Number, int64_t Most);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_FACTS_H
