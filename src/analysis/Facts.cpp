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

/// What loops, branches, contracts and guards around an operation say.
class FactsAt::Gathered {
public:
  explicit Gathered(Operation *At) : T(S, At) { T.enterAllAround(At); }

  /// Whether Number * Sign + Plus is never negative.
  bool isNeverNegative(Value Number, int64_t Sign, int64_t Plus) {
    Terms::Scope Here(T);
    Linear Fact = T.of(Number) * DynamicAPInt(Sign) + Linear(Plus);
    return S.excludes({negate(Fact)}, Solver::SmallEffort);
  }

private:
  Solver S;
  Terms T;
};

FactsAt::FactsAt(Operation *At) : At(At) {}
FactsAt::~FactsAt() = default;

bool FactsAt::isNeverNegative(Value Number, int64_t Sign, int64_t Plus) {
  if (!Around)
    Around = std::make_unique<Gathered>(At);
  return Around->isNeverNegative(Number, Sign, Plus);
}

bool FactsAt::isAtLeast(Value Number, int64_t Least) {
  return isNeverNegative(Number, 1, -Least);
}

bool FactsAt::isAtMost(Value Number, int64_t Most) {
  return isNeverNegative(Number, -1, Most);
}

bool analysis::isAtLeast(Operation *At, Value Number, int64_t Least) {
  return FactsAt(At).isAtLeast(Number, Least);
}

bool analysis::isAtMost(Operation *At, Value Number, int64_t Most) {
  return FactsAt(At).isAtMost(Number, Most);
}
