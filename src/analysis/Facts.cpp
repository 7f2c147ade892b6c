//===- Facts.cpp - Single questions to the prover -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Facts.h"
#include "analysis/Terms.h"

using namespace mlir;
using namespace belay;
using namespace belay::analysis;

/// Whether Number * Sign + Plus is never negative.
static bool isNeverNegative(Operation *At, Value Number, int64_t Sign,
                            int64_t Plus) {
  Solver S;
  Terms T(S, At);
  T.enterAllAround(At);
  Linear Fact = T.of(Number) * DynamicAPInt(Sign) + Linear(Plus);
  return S.excludes({negate(Fact)}, Solver::SmallEffort);
}

bool analysis::isAtLeast(Operation *At, Value Number, int64_t Least) {
  return isNeverNegative(At, Number, 1, -Least);
}

bool analysis::isAtMost(Operation *At, Value Number, int64_t Most) {
  return isNeverNegative(At, Number, -1, Most);
}
