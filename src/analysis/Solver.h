//===- Solver.h - What follows from integer facts ---------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether facts about integer variables contradict each other: linear
// inequalities, choices between them, and products of two expressions. The
// linear part is mlir::presburger's simplex, which is cheap as long as rational
// numbers suffice. The rest is a search: a rational solution that violates a
// choice, a product or integrality shows on what to split, so only what matters
// is ever looked at. What shares no variable with the question, not even by way
// of others, is looked at only if the rest does not answer it.
//
// "Contradiction" is always right. A solution is checked against everything
// that was assumed, products included, so it is always right, too. What takes
// too long is "unknown".
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ANALYSIS_SOLVER_H
#define BELAY_ANALYSIS_SOLVER_H

#include "analysis/Linear.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/BitVector.h"

namespace belay::analysis {

/// A value for each variable.
using Solution = llvm::SmallVector<DynamicAPInt>;

class Solver {
public:
  Solver() : Tableau(0) {}

  enum class Answer { Contradiction, Solvable, Unknown };

  Linear addVariable();
  unsigned getNumVariables() const { return Tableau.getNumVariables(); }

  void assume(const Linear &NotNegative);
  void assume(const Conjunction &Facts);
  void assume(const Choice &OneOf);

  /// The product of two expressions: linear if one of them is constant, else a
  /// variable of which only lemmas are known. Equal products are one variable.
  Linear multiply(const Linear &A, const Linear &B);

  struct Product {
    Linear A, B, Value;
    /// Whether neither factor can be negative.
    bool IsOfSizes = false;
  };
  llvm::ArrayRef<Product> products() const { return Products; }

  /// How much work one search may be; a unit is a fact that the tableau takes.
  /// Proofs of real kernels need a few hundred.
  static constexpr unsigned FullEffort = 6000;
  /// For what has no other way to be shown, and no kernel to be blamed for it.
  static constexpr unsigned LastEffort = 10 * FullEffort;
  /// For what is only nicer to have.
  static constexpr unsigned SmallEffort = 600;

  /// The work that has been done so far, for those who want to stop.
  unsigned work() const { return Work; }

  /// Do the facts, with these in addition, contradict each other?
  Answer check(const Conjunction &Additional = {}, unsigned Effort = FullEffort,
               bool NeedsSolution = true);

  /// Whether it is certain that they do. Where all that is related to the
  /// question does not exclude it, the rest is not asked.
  bool excludes(const Conjunction &Additional, unsigned Effort = FullEffort) {
    return check(Additional, Effort, /*NeedsSolution=*/false) ==
           Answer::Contradiction;
  }

  /// Whether that fact follows from the others.
  bool implies(const Linear &Fact) { return excludes({negate(Fact)}); }

  /// The solution that the last check() found.
  const Solution &solution() const { return Found; }

  /// Another solution in which the absolute values of Small are small, as far
  /// as that is found quickly. Call after check() said Solvable.
  void findSmallSolution(const Conjunction &Additional,
                         llvm::ArrayRef<Linear> Small);

  DynamicAPInt evaluate(const Linear &Expr) const;

  /// The largest value of an expression as far as the facts without choices
  /// tell; nothing if they set no limit.
  std::optional<DynamicAPInt> mostOf(const Linear &Expr);

  /// Whether equations make two expressions the same.
  bool areSame(const Linear &A, const Linear &B) const {
    return reduce(A) == reduce(B);
  }

  /// Says once more that products with a common factor are equal if the other
  /// factors are, for questions that are about nothing else.
  void assumeEqualProducts();

  /// Whether that fact follows from the facts without choices, which takes no
  /// search.
  bool impliesAtOnce(const Linear &Fact);

  /// Forgets, at its end, all that was assumed and added since its beginning.
  class Scope {
  public:
    explicit Scope(Solver &S);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Solver &S;
    unsigned Snapshot;
    size_t NumFacts, NumSolved, NumChoices, NumProducts;
  };

private:
  using Fraction = mlir::presburger::Fraction;
  using Sample = llvm::SmallVector<Fraction, 8>;

  llvm::SmallVector<DynamicAPInt> row(const Linear &Expr) const;
  void assumeEqual(const Linear &Zero);
  /// The same value without variables that equations have solved.
  Linear reduce(const Linear &Expr) const;
  /// Leaves out choices and products that share no variable with a question, by
  /// way of each other or, if asked, of facts; false if that is none of them.
  bool leaveOutUnrelated(const Conjunction &To, bool ByFacts);
  Answer searchRelated(const Conjunction &To, bool ByFacts, unsigned Effort);
  Answer search(unsigned Depth);
  Answer split(const Choice &Alternatives, unsigned Depth);
  bool isViolated(const Choice &Alternatives, const Sample &At) const;
  Choice feasible(const Choice &Alternatives);
  llvm::SmallVector<Choice, 0> violated(const Sample &At);
  void addViolatedLemmas(const Product &P, const Sample &At,
                         llvm::SmallVectorImpl<Choice> &To);
  std::optional<Choice> tangent(const Sample &At) const;
  /// The bounds of an expression that the facts without choices set.
  struct Bounds {
    std::optional<DynamicAPInt> Least, Most;
  };
  Bounds boundsOf(const Linear &Expr);
  void assumeCorners(const Product &P);
  std::optional<Linear> multiplyTerms(const Linear &Sum, const Linear &B) const;
  void compareWithOthers(Product &P);

  mlir::presburger::Simplex Tableau;
  /// What the tableau contains.
  Conjunction Facts;
  /// Variables that an equation expresses by others.
  struct Solved {
    unsigned Variable;
    Linear Value;
  };
  llvm::SmallVector<Solved, 0> Equations;
  llvm::SmallVector<Choice, 0> Choices;
  llvm::SmallVector<Product, 0> Products;
  /// Those that a search does not look at; empty for none.
  llvm::BitVector SkippedChoices, SkippedProducts;
  Solution Found;
  unsigned Work = 0, Limit = 0;
  /// Lemmas at the points of wrong solutions, on the way to this node.
  unsigned NumTangents = 0;
};

/// The value of an expression where each variable has the value At.
mlir::presburger::Fraction
valueAt(const Linear &Expr, llvm::ArrayRef<mlir::presburger::Fraction> At);

/// What is known of `Value = A*B` from the signs of A and B; always true.
Choice signLemma(const Linear &A, const Linear &B, const Linear &Value);

} // namespace belay::analysis

#endif // BELAY_ANALYSIS_SOLVER_H
