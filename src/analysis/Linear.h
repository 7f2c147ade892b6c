//===- Linear.h - Linear expressions over integer variables -----*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_LINEAR_H
#define BELAY_ANALYSIS_LINEAR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/SmallVector.h"

namespace belay::analysis {

using llvm::DynamicAPInt;

/// c0 + c1*x1 + c2*x2 + ..., with integers that never overflow.
class Linear {
public:
  struct Term {
    unsigned Variable;
    DynamicAPInt Factor;
  };

  Linear(int64_t Constant = 0) : Constant(Constant) {}
  explicit Linear(const DynamicAPInt &Constant) : Constant(Constant) {}
  static Linear variable(unsigned Index);

  /// Sorted by variable; no factor is 0.
  llvm::ArrayRef<Term> terms() const { return Terms; }
  const DynamicAPInt &constant() const { return Constant; }
  bool isConstant() const { return Terms.empty(); }
  /// 0 for a variable that does not occur.
  DynamicAPInt factorOf(unsigned Variable) const;
  /// If this is just one variable, which.
  std::optional<unsigned> asVariable() const;

  Linear &operator+=(const Linear &Other);
  Linear &operator*=(const DynamicAPInt &Factor);
  Linear operator+(const Linear &Other) const { return Linear(*this) += Other; }
  Linear operator*(const DynamicAPInt &Factor) const {
    return Linear(*this) *= Factor;
  }
  Linear operator-() const { return *this * DynamicAPInt(-1); }
  Linear operator-(const Linear &Other) const { return *this + -Other; }
  bool operator==(const Linear &Other) const;

private:
  llvm::SmallVector<Term, 2> Terms;
  DynamicAPInt Constant;
};

/// Each of them is >= 0.
using Conjunction = llvm::SmallVector<Linear, 0>;

/// At least one of them holds. No alternative at all is false, an alternative
/// without conditions is true.
using Choice = llvm::SmallVector<Conjunction, 0>;

/// `A >= B` and the other comparisons, in the form that facts have: an
/// expression that is not negative.
inline Linear atLeast(const Linear &A, const Linear &B) { return A - B; }
inline Linear atMost(const Linear &A, const Linear &B) { return B - A; }
inline Linear less(const Linear &A, const Linear &B) { return B - A - 1; }
inline Conjunction equals(const Linear &A, const Linear &B) {
  return {A - B, B - A};
}

/// What holds if `Fact >= 0` does not.
inline Linear negate(const Linear &Fact) { return -Fact - 1; }

/// What holds if not all of them do.
Choice negate(const Conjunction &Facts);

/// Both; just A, if there were too many alternatives to search otherwise. That
/// only makes a fact weaker.
Choice conjoin(const Choice &A, const Choice &B);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_LINEAR_H
