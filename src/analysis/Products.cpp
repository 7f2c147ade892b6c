//===- Products.cpp - What the solver knows of products -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lemma, about signs, in three roles. Of p = a*b it says that two positive
// factors have a product of at least a + b - 1. Of the difference of two
// products with a common factor, f*u - f*w = f*(u - w), it says that they are
// ordered as u and w are and lie at least f apart: the step from one row to the
// next. Of (a - k)*(b - m), with constants k and m, it says how large a product
// can be between bounds, and, at the point of a wrong solution, that it is
// wrong.
//
// Another, about sizes: of 0 <= u <= a and 0 <= w <= b follows u*w <= a*b.
// There are not more tiles than elements.
//
//===----------------------------------------------------------------------===//

#include "analysis/Solver.h"

using namespace belay::analysis;
using namespace llvm;
using mlir::presburger::Fraction;
using mlir::presburger::Simplex;

Choice belay::analysis::signLemma(const Linear &A, const Linear &B,
                                  const Linear &Value) {
  auto Zero = [&](const Linear &Factor) {
    return Conjunction{Factor, -Factor, Value, -Value};
  };
  // (|a| - 1)*(|b| - 1) >= 0, with the signs written out.
  return {Zero(A),
          Zero(B),
          {A - 1, B - 1, Value - A - B + 1},
          {-A - 1, -B - 1, Value + A + B + 1},
          {A - 1, -B - 1, -Value - A + B + 1},
          {-A - 1, B - 1, -Value + A - B + 1}};
}

/// (a - k)*(b - m) for p = a*b.
static Choice shiftedLemma(const Solver::Product &P, const DynamicAPInt &K,
                           const DynamicAPInt &M) {
  return signLemma(P.A - Linear(K), P.B - Linear(M),
                   P.Value - P.B * K - P.A * M + Linear(K * M));
}

static bool holds(const Solver::Product &P, ArrayRef<Fraction> At) {
  return valueAt(P.A, At) * valueAt(P.B, At) == valueAt(P.Value, At);
}

/// The lemma on the difference of two products, once for each factor that they
/// have in common.
static SmallVector<Choice, 2> commonFactor(const Solver::Product &P,
                                           const Solver::Product &Q) {
  SmallVector<Choice, 2> Lemmas;
  auto Try = [&](const Linear &F, const Linear &G, const Linear &U,
                 const Linear &W) {
    if (F == G)
      Lemmas.push_back(signLemma(F, U - W, P.Value - Q.Value));
  };
  Try(P.A, Q.A, P.B, Q.B);
  Try(P.A, Q.B, P.B, Q.A);
  Try(P.B, Q.A, P.A, Q.B);
  Try(P.B, Q.B, P.A, Q.A);
  return Lemmas;
}

/// P is not larger than Q if neither of its factors is.
static SmallVector<Choice, 2> smallerFactors(const Solver::Product &P,
                                             const Solver::Product &Q) {
  auto Lemma = [&](const Linear &A, const Linear &B) -> Choice {
    return {{negate(P.A)},
            {negate(P.B)},
            {less(A, P.A)},
            {less(B, P.B)},
            {atMost(P.Value, Q.Value)}};
  };
  return {Lemma(Q.A, Q.B), Lemma(Q.B, Q.A)};
}

void Solver::addViolatedLemmas(const Product &P, const Sample &At,
                               SmallVectorImpl<Choice> &To) {
  if (holds(P, At))
    return;
  size_t Before = To.size();
  auto Add = [&](const Choice &Lemma) {
    if (isViolated(Lemma, At))
      To.push_back(Lemma);
  };
  Add(signLemma(P.A, P.B, P.Value));
  Product Here{reduce(P.A), reduce(P.B), P.Value};
  for (const Product &Q : Products) {
    if (&P == &Q)
      continue;
    Product Other{reduce(Q.A), reduce(Q.B), Q.Value};
    for (const Choice &Lemma : commonFactor(Here, Other))
      Add(Lemma);
    for (const Choice &Lemma : smallerFactors(Here, Other))
      Add(Lemma);
  }
  if (To.size() > Before)
    return;
  // Between the bounds that the factors have here.
  auto Bounds = [&](const Linear &Expr) {
    SmallVector<DynamicAPInt, 2> Result;
    for (Simplex::Direction Side :
         {Simplex::Direction::Up, Simplex::Direction::Down}) {
      auto Optimum = Tableau.computeOptimum(Side, row(Expr));
      if (Optimum.isBounded())
        Result.push_back(Side == Simplex::Direction::Up ? floor(*Optimum)
                                                        : ceil(*Optimum));
    }
    return Result;
  };
  auto ForA = Bounds(P.A), ForB = Bounds(P.B);
  for (const DynamicAPInt &K : ForA)
    for (const DynamicAPInt &M : ForB)
      Add(shiftedLemma(P, K, M));
}

std::optional<Choice> Solver::tangent(const Sample &At) const {
  for (const Product &P : Products)
    if (!holds(P, At))
      return shiftedLemma(P, floor(valueAt(P.A, At)), floor(valueAt(P.B, At)));
  return std::nullopt;
}
