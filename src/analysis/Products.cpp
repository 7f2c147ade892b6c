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
  Bounds OfA = boundsOf(P.A), OfB = boundsOf(P.B);
  for (const auto &K : {OfA.Most, OfA.Least})
    for (const auto &M : {OfB.Most, OfB.Least})
      if (K && M)
        Add(shiftedLemma(P, *K, *M));
}

Solver::Bounds Solver::boundsOf(const Linear &Expr) {
  Bounds Result;
  auto Up = Tableau.computeOptimum(Simplex::Direction::Up, row(Expr));
  if (Up.isBounded())
    Result.Most = floor(*Up);
  auto Down = Tableau.computeOptimum(Simplex::Direction::Down, row(Expr));
  if (Down.isBounded())
    Result.Least = ceil(*Down);
  return Result;
}

/// The lemma about sizes, where it needs no search: there are not more windows
/// than elements.
void Solver::compareWithOthers(Product &P) {
  if (!impliesAtOnce(P.A) || !impliesAtOnce(P.B))
    return;
  P.IsOfSizes = true;
  assume(P.Value);
  auto AreSmaller = [&](const Linear &A, const Linear &B, const Linear &ThanA,
                        const Linear &ThanB) {
    return impliesAtOnce(ThanA - A) && impliesAtOnce(ThanB - B);
  };
  for (const Product &Q : Products) {
    if (&P == &Q || !Q.IsOfSizes)
      continue;
    if (AreSmaller(P.A, P.B, Q.A, Q.B) || AreSmaller(P.A, P.B, Q.B, Q.A))
      assume(Q.Value - P.Value);
    else if (AreSmaller(Q.A, Q.B, P.A, P.B) || AreSmaller(Q.A, Q.B, P.B, P.A))
      assume(P.Value - Q.Value);
  }
}

void Solver::assumeEqualProducts() {
  auto Add = [&](const Product &P, const Product &Q, const Linear &U,
                 const Linear &W) {
    Choices.push_back({{less(U, W)}, {less(W, U)}, equals(P.Value, Q.Value)});
  };
  for (size_t I = 0; I < Products.size(); ++I)
    for (size_t J = I + 1; J < Products.size(); ++J) {
      const Product &P = Products[I], &Q = Products[J];
      if (areSame(P.B, Q.B))
        Add(P, Q, P.A, Q.A);
      else if (areSame(P.A, Q.A))
        Add(P, Q, P.B, Q.B);
      else if (areSame(P.A, Q.B))
        Add(P, Q, P.B, Q.A);
      else if (areSame(P.B, Q.A))
        Add(P, Q, P.A, Q.B);
    }
}

/// (a - k)*(b - m) has a known sign where k and m are bounds: linear facts that
/// need no search, and which are often all that is asked of small factors.
void Solver::assumeCorners(const Product &P) {
  if (Tableau.isEmpty())
    return;
  Bounds OfA = boundsOf(P.A), OfB = boundsOf(P.B);
  constexpr int64_t MostSmall = int64_t(1) << 31;
  auto IsSmall = [](const std::optional<DynamicAPInt> &Bound) {
    return Bound && abs(*Bound) <= MostSmall;
  };
  // Of two large factors they would only add to the search, and large numbers
  // make it slow.
  if (!(IsSmall(OfA.Least) && IsSmall(OfA.Most)) &&
      !(IsSmall(OfB.Least) && IsSmall(OfB.Most)))
    return;
  auto Assume = [&](const std::optional<DynamicAPInt> &K,
                    const std::optional<DynamicAPInt> &M, bool Positive) {
    if (!IsSmall(K) || !IsSmall(M))
      return;
    Linear Shifted = P.Value - P.B * *K - P.A * *M + Linear(*K * *M);
    assume(Positive ? Shifted : -Shifted);
  };
  Assume(OfA.Least, OfB.Least, /*Positive=*/true);
  Assume(OfA.Most, OfB.Most, /*Positive=*/true);
  Assume(OfA.Least, OfB.Most, /*Positive=*/false);
  Assume(OfA.Most, OfB.Least, /*Positive=*/false);
}

std::optional<Choice> Solver::tangent(const Sample &At) const {
  for (const auto &[I, P] : enumerate(Products))
    if (!(I < SkippedProducts.size() && SkippedProducts.test(I)) &&
        !holds(P, At))
      return shiftedLemma(P, floor(valueAt(P.A, At)), floor(valueAt(P.B, At)));
  return std::nullopt;
}
