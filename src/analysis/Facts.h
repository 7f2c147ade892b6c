//===- Facts.h - Single questions to the prover -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_FACTS_H
#define BELAY_ANALYSIS_FACTS_H

#include "mlir/IR/Value.h"
#include <memory>

namespace belay::analysis {

/// Whether \p Number is at least \p Least whenever \p At is executed, by what
/// loops, branches, contracts and guards say. False if that is not found out
/// quickly.
bool isAtLeast(mlir::Operation *At, mlir::Value Number, int64_t Least);
bool isAtMost(mlir::Operation *At, mlir::Value Number, int64_t Most);

/// Several such questions about one operation: what holds around it is
/// gathered once, with the first of them. Nothing around it may change before
/// the last.
class FactsAt {
public:
  explicit FactsAt(mlir::Operation *At);
  ~FactsAt();
  FactsAt(const FactsAt &) = delete;
  FactsAt &operator=(const FactsAt &) = delete;

  bool isAtLeast(mlir::Value Number, int64_t Least);
  bool isAtMost(mlir::Value Number, int64_t Most);

private:
  class Gathered;
  bool isNeverNegative(mlir::Value Number, int64_t Sign, int64_t Plus);

  mlir::Operation *At;
  std::unique_ptr<Gathered> Around;
};

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_FACTS_H
