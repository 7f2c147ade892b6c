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

bool analysis::isAtLeast(Operation *At, Value Number, int64_t Least) {
  Solver S;
  Terms T(S);
  T.enterAllAround(At);
  Linear Missing = T.of(Number) - Linear(Least);
  return S.check({negate(Missing)}, Solver::SmallEffort) ==
         Solver::Answer::Contradiction;
}
