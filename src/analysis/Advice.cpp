//===- Advice.cpp - Contracts that would settle a property ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Prover.h"

using namespace belay::analysis;
using namespace llvm;

namespace {
struct Candidate {
  std::string Text;
  Conjunction Facts;
  /// What people forget most: worth as much work as a proof.
  bool IsLikely = false;
};
} // namespace

/// Numbers that may be the bound that is missing, the likeliest first: those
/// that the kernel has, from large to small, and those of the violation.
static SmallVector<int64_t> boundsFor(const Choice &Violations,
                                      const Terms &T) {
  SmallVector<int64_t> Result(T.constants().rbegin(), T.constants().rend());
  constexpr int64_t Most = int64_t(1) << 40;
  for (const Conjunction &Violation : Violations)
    for (const Linear &Fact : Violation) {
      if (abs(Fact.constant()) > Most)
        continue;
      int64_t Constant = std::abs(int64_t(Fact.constant()));
      Result.append({Constant + 1, Constant, Constant - 1});
    }
  return Result;
}

namespace {
/// An argument, with its value in the counterexample if there is one.
struct Argument {
  const Terms::Named *Named;
  std::optional<DynamicAPInt> Value;
};
} // namespace

/// "x.cols()" and "y.cols()".
static bool agreeInDimension(StringRef A, StringRef B) {
  StringRef Dimension = A.rsplit('.').second;
  return !Dimension.empty() && Dimension == B.rsplit('.').second;
}

/// Conditions that people write, the most common first, without those that the
/// counterexample fulfils.
static SmallVector<Candidate, 0>
candidates(ArrayRef<Argument> Args, ArrayRef<int64_t> Bounds, Solver &S) {
  SmallVector<Candidate, 0> Result;
  auto Add = [&](const Twine &Text, Conjunction Facts, bool IsLikely = false) {
    Result.push_back({Text.str(), std::move(Facts), IsLikely});
  };
  // Mostly two views have to agree in a dimension: x.cols(), y.cols().
  for (bool SameDimension : {true, false})
    for (const auto &[A, X] : Args)
      for (const auto &[B, Y] : Args)
        if (A != B && !(X && Y && *X <= *Y) &&
            SameDimension == agreeInDimension(A->Name, B->Name))
          Add(A->Name + " <= " + B->Name, {B->Expr - A->Expr}, SameDimension);
  // The weakest that settles it is the one to suggest.
  for (const auto &[A, X] : Args)
    for (int64_t K : Bounds)
      if (K > 1 && !(X && *X <= K))
        Add(A->Name + " <= " + Twine(K), {Linear(K) - A->Expr});
  for (const auto &[A, X] : Args)
    for (int64_t K : reverse(Bounds))
      if (K >= 0 && !(X && *X >= K))
        Add(A->Name + " >= " + Twine(K), {A->Expr - Linear(K)});
  for (const auto &[A, X] : Args)
    for (int64_t K : Bounds)
      if (K > 1 && !(X && *X % K == 0))
        Add(A->Name + " % " + Twine(K) + " == 0",
            equals(A->Expr, S.addVariable() * DynamicAPInt(K)));
  return Result;
}

/// The arguments and their extents among these variables.
static SmallVector<const Terms::Named *> argumentsIn(const BitVector &Variables,
                                                     Terms &T) {
  SmallVector<const Terms::Named *> Args;
  for (const Terms::Named &Name : T.names()) {
    auto Variable = Name.Expr.asVariable();
    if (Name.IsArgument && Variable && Variables.test(*Variable))
      Args.push_back(&Name);
  }
  return Args;
}

std::string belay::analysis::suggestContract(Terms &T, const Obligation &What,
                                             bool Counterexample) {
  // Bounds that keep arithmetic in 64 bits are a matter of taste.
  if (What.Id == "index-overflow")
    return "";
  Conjunction All;
  BitVector Direct(T.solver().getNumVariables());
  for (const Conjunction &Violation : What.Violations) {
    All.append(Violation);
    for (const Linear &Fact : Violation)
      for (const Linear::Term &Term : Fact.terms())
        Direct.set(Term.Variable);
  }
  // A property of arguments alone is its own contract.
  if (What.IsCode && Direct.any() &&
      argumentsIn(Direct, T).size() == Direct.count())
    return What.Text;

  constexpr unsigned MostArguments = 4, MostWork = 24000, Effort = 1500;
  Solver &S = T.solver();
  Solver::Scope Here(S);
  SmallVector<Argument> Args;
  for (const Terms::Named *Named : argumentsIn(T.dependencies(All), T))
    if (Args.size() < MostArguments)
      Args.push_back({Named, Counterexample
                                 ? std::optional(S.evaluate(Named->Expr))
                                 : std::nullopt});
  auto Tries = candidates(Args, boundsFor(What.Violations, T), S);
  unsigned Start = S.work();
  for (const Candidate &Try : Tries) {
    if (S.work() - Start > MostWork)
      break;
    Solver::Scope Trial(S);
    S.assume(Try.Facts);
    unsigned Patience = Try.IsLikely ? Solver::FullEffort : Effort;
    bool Settles = all_of(What.Violations, [&](const Conjunction &Violation) {
      return S.check(Violation, Patience) == Solver::Answer::Contradiction;
    });
    // A contract under which this place is never reached helps nobody.
    if (Settles && S.check({}, Patience) == Solver::Answer::Solvable)
      return Try.Text;
  }
  return "";
}
