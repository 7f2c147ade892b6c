//===- Solver.cpp - What follows from integer facts -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Solver.h"

#include "llvm/ADT/STLExtras.h"

using namespace belay::analysis;
using namespace llvm;
using mlir::presburger::Fraction;
using mlir::presburger::Simplex;

static constexpr unsigned MaxDepth = 48;
static constexpr unsigned MaxTangents = 4;
static constexpr int64_t LargeFactor = int64_t(1) << 42;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

Linear Solver::addVariable() {
  Tableau.appendVariable();
  return Linear::variable(Tableau.getNumVariables() - 1);
}

SmallVector<DynamicAPInt> Solver::row(const Linear &Expr) const {
  SmallVector<DynamicAPInt> Row(Tableau.getNumVariables() + 1, DynamicAPInt(0));
  for (const Linear::Term &T : Expr.terms())
    Row[T.Variable] = T.Factor;
  Row.back() = Expr.constant();
  return Row;
}

/// Divides by what all factors have in common. The constant rounds towards the
/// integer solutions, which already settles much of what divisions ask.
static Linear tighten(const Linear &Fact) {
  DynamicAPInt Common(0);
  for (const Linear::Term &T : Fact.terms())
    Common = gcd(Common, abs(T.Factor));
  if (Common <= 1)
    return Fact;
  Linear Result(floorDiv(Fact.constant(), Common));
  for (const Linear::Term &T : Fact.terms())
    Result += Linear::variable(T.Variable) * (T.Factor / Common);
  return Result;
}

Linear Solver::reduce(const Linear &Expr) const {
  Linear Result = Expr;
  // A later equation may have solved a variable of an earlier one.
  for (const Solved &E : Equations)
    if (DynamicAPInt Factor = Result.factorOf(E.Variable); Factor != 0)
      Result += (E.Value - Linear::variable(E.Variable)) * Factor;
  return Result;
}

void Solver::assume(const Linear &NotNegative) {
  // A contradiction stays one.
  if (Tableau.isEmpty())
    return;
  Linear Fact = tighten(reduce(NotNegative));
  if (Fact.isConstant()) {
    if (Fact.constant() < 0)
      Tableau.markEmpty();
    return;
  }
  Facts.push_back(Fact);
  Tableau.addInequality(row(Fact));
  // A pivot touches the whole tableau, and is much slower where numbers leave
  // 64 bits.
  unsigned Cost = 1 + Tableau.getNumVariables() / 8;
  bool IsHuge = any_of(Fact.terms(), [](const Linear::Term &T) {
    return abs(T.Factor) > LargeFactor;
  });
  Work += IsHuge ? 16 * Cost : Cost;
}

void Solver::assumeEqual(const Linear &Zero) {
  Linear Equation = reduce(Zero);
  assume(Equation);
  assume(-Equation);
  for (const Linear::Term &T : reverse(Equation.terms())) {
    if (abs(T.Factor) != 1)
      continue;
    Linear Variable = Linear::variable(T.Variable);
    Equations.push_back({T.Variable, Variable - Equation * T.Factor});
    // In terms of the others, facts may be tighter: of n = 256*q and
    // 256*t < n follows t < q, which takes integers to see.
    for (size_t I = 0, E = Facts.size(); I < E; ++I)
      if (Facts[I].factorOf(T.Variable) != 0)
        assume(Linear(Facts[I]));
    return;
  }
}

void Solver::assume(const Conjunction &Facts) {
  for (size_t I = 0; I < Facts.size(); ++I) {
    // Equations come as a pair.
    if (I + 1 < Facts.size() && Facts[I + 1] == -Facts[I])
      assumeEqual(Facts[I++]);
    else
      assume(Facts[I]);
  }
}

void Solver::assume(const Choice &OneOf) {
  if (OneOf.size() == 1)
    assume(OneOf.front());
  else
    Choices.push_back(OneOf);
}

/// (u - w - 1) * b is u*b - w*b - b, where these products are there.
std::optional<Linear> Solver::multiplyTerms(const Linear &Sum,
                                            const Linear &B) const {
  if (Sum.terms().size() < 2 && Sum.constant() == 0)
    return std::nullopt;
  Linear Result = B * Sum.constant();
  for (const Linear::Term &T : Sum.terms()) {
    Linear Variable = Linear::variable(T.Variable);
    const Product *Known = find_if(Products, [&](const Product &P) {
      return (P.A == Variable && P.B == B) || (P.B == Variable && P.A == B);
    });
    if (Known == Products.end())
      return std::nullopt;
    Result += Known->Value * T.Factor;
  }
  return Result;
}

Linear Solver::multiply(const Linear &LeftFactor, const Linear &RightFactor) {
  Linear A = reduce(LeftFactor), B = reduce(RightFactor);
  if (A.isConstant())
    return B * A.constant();
  if (B.isConstant())
    return A * B.constant();
  for (const Product &P : Products)
    if ((P.A == A && P.B == B) || (P.A == B && P.B == A))
      return P.Value;
  if (std::optional<Linear> Sum = multiplyTerms(A, B))
    return *Sum;
  if (std::optional<Linear> Sum = multiplyTerms(B, A))
    return *Sum;
  Linear Value = addVariable();
  Products.push_back({A, B, Value});
  assumeCorners(Products.back());
  compareWithOthers(Products.back());
  return Value;
}

Solver::Scope::Scope(Solver &S)
    : S(S), Snapshot(S.Tableau.getSnapshot()), NumFacts(S.Facts.size()),
      NumSolved(S.Equations.size()), NumChoices(S.Choices.size()),
      NumProducts(S.Products.size()) {}

Solver::Scope::~Scope() {
  S.Tableau.rollback(Snapshot);
  S.Facts.truncate(NumFacts);
  S.Equations.truncate(NumSolved);
  S.Choices.truncate(NumChoices);
  S.Products.truncate(NumProducts);
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

Fraction belay::analysis::valueAt(const Linear &Expr, ArrayRef<Fraction> At) {
  Fraction Sum(Expr.constant());
  for (const Linear::Term &T : Expr.terms())
    Sum += At[T.Variable] * Fraction(T.Factor);
  return Sum;
}

bool Solver::isViolated(const Choice &Alternatives, const Sample &At) const {
  return none_of(Alternatives, [&](const Conjunction &Facts) {
    return all_of(Facts, [&](const Linear &Fact) {
      return valueAt(Fact, At) >= Fraction(0);
    });
  });
}

/// What came after the sets were made is not in them.
static bool isSkipped(const BitVector &Skipped, size_t I) {
  return I < Skipped.size() && Skipped.test(I);
}

SmallVector<Choice, 0> Solver::violated(const Sample &At) {
  // To look at more of them before one is chosen costs more than it gains.
  constexpr size_t Enough = 6;
  SmallVector<Choice, 0> Result;
  // What was added last is closest to what is asked.
  for (size_t I = Choices.size(); I-- && Result.size() < Enough;)
    if (!isSkipped(SkippedChoices, I) && isViolated(Choices[I], At))
      Result.push_back(Choices[I]);
  for (size_t I = Products.size(); I-- && Result.size() < Enough;)
    if (!isSkipped(SkippedProducts, I))
      addViolatedLemmas(Products[I], At, Result);
  return Result;
}

Choice Solver::feasible(const Choice &Alternatives) {
  Choice Result;
  for (const Conjunction &Alternative : Alternatives) {
    Scope Here(*this);
    assume(Alternative);
    if (!Tableau.isEmpty())
      Result.push_back(Alternative);
  }
  return Result;
}

/// x <= 2 or x >= 3, where the sample says 2.5.
static std::optional<Choice> fractional(ArrayRef<Fraction> At) {
  for (auto [I, Value] : enumerate(At)) {
    DynamicAPInt Below = floor(Value);
    if (Fraction(Below) == Value)
      continue;
    Linear X = Linear::variable(I), Low(Below);
    return Choice{{atMost(X, Low)}, {atLeast(X, Low + 1)}};
  }
  return std::nullopt;
}

Solver::Answer Solver::search(unsigned Depth) {
  for (;;) {
    if (Tableau.isEmpty())
      return Answer::Contradiction;
    if (Work > Limit || Depth > MaxDepth)
      return Answer::Unknown;
    Sample At = *Tableau.getRationalSample();
    // Split where the fewest alternatives are left. If it is just one, it is a
    // fact.
    Choice Fewest;
    for (const Choice &Alternatives : violated(At)) {
      Choice Left = feasible(Alternatives);
      if (Left.empty())
        return Answer::Contradiction;
      if (Fewest.empty() || Left.size() < Fewest.size())
        Fewest = std::move(Left);
      if (Fewest.size() == 1)
        break;
    }
    if (Fewest.size() == 1) {
      assume(Fewest.front());
      continue;
    }
    if (!Fewest.empty())
      return split(Fewest, Depth);
    if (auto Violated = fractional(At))
      return split(*Violated, Depth);
    if (auto Violated = tangent(At)) {
      if (NumTangents == MaxTangents)
        return Answer::Unknown;
      ++NumTangents;
      Answer Result = split(*Violated, Depth);
      --NumTangents;
      return Result;
    }
    Found.clear();
    for (const Fraction &Value : At)
      Found.push_back(floor(Value));
    return Answer::Solvable;
  }
}

Solver::Answer Solver::split(const Choice &Alternatives, unsigned Depth) {
  Answer Result = Answer::Contradiction;
  for (const Conjunction &Alternative : Alternatives) {
    Scope Here(*this);
    assume(Alternative);
    Answer Part = search(Depth + 1);
    if (Part == Answer::Solvable)
      return Part;
    if (Part == Answer::Unknown)
      Result = Part;
  }
  return Result;
}

bool Solver::leaveOutUnrelated(const Conjunction &To, bool ByFacts) {
  BitVector Related(getNumVariables());
  auto Add = [&](const Linear &Expr) {
    Linear Reduced = reduce(Expr);
    for (const Linear::Term &T : Reduced.terms())
      Related.set(T.Variable);
  };
  auto IsRelated = [&](const Linear &Expr) {
    return any_of(reduce(Expr).terms(), [&](const Linear::Term &T) {
      return Related.test(T.Variable);
    });
  };
  for (const Linear &Fact : To)
    Add(Fact);
  SkippedChoices = BitVector(Choices.size(), true);
  SkippedProducts = BitVector(Products.size(), true);
  SmallVector<bool> Counted(ByFacts ? Facts.size() : 0, false);
  for (bool Grows = true; Grows;) {
    Grows = false;
    for (size_t I = 0; I < Counted.size(); ++I)
      if (!Counted[I] && IsRelated(Facts[I])) {
        Add(Facts[I]);
        Counted[I] = Grows = true;
      }
    for (size_t I : SkippedChoices.set_bits()) {
      const Choice &Alternatives = Choices[I];
      if (none_of(Alternatives, [&](const Conjunction &Facts) {
            return any_of(Facts, IsRelated);
          }))
        continue;
      for (const Conjunction &Facts : Alternatives)
        for_each(Facts, Add);
      SkippedChoices.reset(I);
      Grows = true;
    }
    for (size_t I : SkippedProducts.set_bits()) {
      const Product &P = Products[I];
      if (!IsRelated(P.A) && !IsRelated(P.B) && !IsRelated(P.Value))
        continue;
      Add(P.A);
      Add(P.B);
      Add(P.Value);
      SkippedProducts.reset(I);
      Grows = true;
    }
  }
  return SkippedChoices.any() || SkippedProducts.any();
}

Solver::Answer Solver::searchRelated(const Conjunction &To, bool ByFacts,
                                     unsigned Effort) {
  auto Result = Answer::Unknown;
  if (leaveOutUnrelated(To, ByFacts)) {
    Scope Here(*this);
    Limit = Work + Effort;
    Result = search(0);
  }
  SkippedChoices.clear();
  SkippedProducts.clear();
  return Result;
}

Solver::Answer Solver::check(const Conjunction &Additional, unsigned Effort,
                             bool NeedsSolution) {
  Scope Here(*this);
  assume(Additional);
  if (Tableau.isEmpty())
    return Answer::Contradiction;
  auto Part = searchRelated(Additional, /*ByFacts=*/false, Effort);
  if (Part == Answer::Solvable && !NeedsSolution) {
    Part = searchRelated(Additional, /*ByFacts=*/true, Effort);
    if (Part == Answer::Solvable)
      return Part;
  }
  if (Part == Answer::Contradiction)
    return Part;
  Limit = Work + Effort;
  return search(0);
}

void Solver::findSmallSolution(const Conjunction &Additional,
                               ArrayRef<Linear> Small) {
  constexpr unsigned MostWork = 3000;
  unsigned Start = Work;
  Conjunction Facts = Additional;
  for (const Linear &Expr : Small) {
    // Earlier ones stay as small as they have become.
    for (int64_t Most : {0, 1, 2, 4, 8, 16, 64, 256, 1024, 4096, 65536}) {
      if (abs(evaluate(Expr)) <= Most || Work - Start > MostWork)
        break;
      Solution Before = Found;
      Scope Here(*this);
      assume(Facts);
      assume(atMost(Expr, Most));
      assume(atLeast(Expr, -Most));
      Limit = Work + SmallEffort;
      if (search(0) == Answer::Solvable)
        break;
      Found = Before;
    }
    DynamicAPInt Size = abs(evaluate(Expr));
    Facts.push_back(atMost(Expr, Linear(Size)));
    Facts.push_back(atLeast(Expr, Linear(-Size)));
  }
}

DynamicAPInt Solver::evaluate(const Linear &Expr) const {
  DynamicAPInt Sum = Expr.constant();
  for (const Linear::Term &T : Expr.terms())
    Sum += Found[T.Variable] * T.Factor;
  return Sum;
}

bool Solver::impliesAtOnce(const Linear &Fact) {
  if (Tableau.isEmpty())
    return true;
  Linear Reduced = reduce(Fact);
  if (Reduced.isConstant())
    return Reduced.constant() >= 0;
  auto Least = Tableau.computeOptimum(Simplex::Direction::Down, row(Reduced));
  return Least.isBounded() && ceil(*Least) >= 0;
}

std::optional<DynamicAPInt> Solver::mostOf(const Linear &Expr) {
  if (Tableau.isEmpty())
    return std::nullopt;
  auto Most = Tableau.computeOptimum(Simplex::Direction::Up, row(reduce(Expr)));
  if (!Most.isBounded())
    return std::nullopt;
  return floor(*Most);
}
