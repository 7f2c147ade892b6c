//===- SolverTest.cpp - The solver against trying all values --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Contradiction where there is a solution would be a false proof; a solution
// that is none would be a false counterexample.
//
//===----------------------------------------------------------------------===//

#include "analysis/Solver.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace belay::analysis;

namespace {

using Answer = Solver::Answer;
using Point = std::array<int64_t, 3>;

TEST(Solver, KnowsNothingOfNothing) {
  Solver S;
  EXPECT_EQ(S.check(), Answer::Solvable);
  Linear X = S.addVariable();
  EXPECT_FALSE(S.implies(X));
  EXPECT_TRUE(S.implies(Linear(0)));
  EXPECT_FALSE(S.implies(Linear(-1)));
}

TEST(Solver, AddsFacts) {
  Solver S;
  Linear X = S.addVariable(), Y = S.addVariable(), Z = S.addVariable();
  S.assume(atMost(X, Y));
  S.assume(less(Y, Z));
  EXPECT_TRUE(S.implies(less(X, Z)));
  EXPECT_FALSE(S.implies(less(X, Y)));
}

TEST(Solver, KnowsThatNumbersAreWhole) {
  Solver S;
  Linear N = S.addVariable(), Q = S.addVariable(), T = S.addVariable();
  // 2x = 1 has a solution that is none.
  EXPECT_EQ(S.check(equals(N * DynamicAPInt(2), Linear(1))),
            Answer::Contradiction);
  // n = 256q, 256t < n: the whole tile fits.
  S.assume(equals(N, Q * DynamicAPInt(256)));
  S.assume(less(T * DynamicAPInt(256), N));
  EXPECT_TRUE(S.implies(atMost(T * DynamicAPInt(256) + 256, N)));
  EXPECT_FALSE(S.implies(atMost(T * DynamicAPInt(256) + 257, N)));
}

TEST(Solver, ForgetsAtTheEndOfAScope) {
  Solver S;
  Linear X = S.addVariable();
  {
    Solver::Scope Here(S);
    S.assume(X - 5);
    S.assume(Choice{{-X}, {X - 7}});
    S.assume(equals(S.addVariable(), X));
    EXPECT_TRUE(S.implies(X - 7));
  }
  EXPECT_EQ(S.getNumVariables(), 1u);
  EXPECT_FALSE(S.implies(X - 5));
  EXPECT_EQ(S.check({-X}), Answer::Solvable);
}

TEST(Solver, StaysContradictory) {
  Solver S;
  Linear X = S.addVariable();
  S.assume(Linear(-1));
  S.assume(X);
  EXPECT_EQ(S.check(), Answer::Contradiction);
}

/// With too little effort the answer is that there is none.
TEST(Solver, GivesUp) {
  Solver S;
  Linear X = S.addVariable(), Y = S.addVariable();
  Linear P = S.multiply(X, Y);
  S.assume(X - 2);
  S.assume(Y - 2);
  S.assume(P - 1000);
  S.assume(equals(P, Linear(1009))); // a prime
  EXPECT_NE(S.check({}, /*Effort=*/1), Answer::Contradiction);
  EXPECT_NE(S.check(), Answer::Solvable);
}

TEST(Solver, MultipliesConstants) {
  Solver S;
  Linear X = S.addVariable(), Y = S.addVariable();
  EXPECT_TRUE(S.multiply(X, Linear(3)) == X * DynamicAPInt(3));
  EXPECT_TRUE(S.multiply(Linear(-2), Y) == Y * DynamicAPInt(-2));
  EXPECT_TRUE(S.multiply(X, Y) == S.multiply(Y, X));
  EXPECT_EQ(S.getNumVariables(), 3u);
}

TEST(Solver, FindsSmallSolutions) {
  Solver S;
  Linear X = S.addVariable(), Y = S.addVariable();
  S.assume(X + Y - 3);
  S.assume(Linear(1000000) - X);
  ASSERT_EQ(S.check(), Answer::Solvable);
  S.findSmallSolution({}, {X, Y});
  EXPECT_GE(S.evaluate(X + Y), 3);
  EXPECT_LE(S.evaluate(X), 3);
  EXPECT_LE(S.evaluate(Y), 3);
}

/// Random systems of three variables between -3 and 3.
class RandomSystem : public testing::TestWithParam<unsigned> {
protected:
  static constexpr int64_t Most = 3;

  int64_t number(int64_t Largest) {
    return std::uniform_int_distribution<int64_t>(-Largest, Largest)(Random);
  }
  bool chance(unsigned Percent) { return Random() % 100 < Percent; }
  Linear expression(bool WithProduct) {
    Linear Result(number(6));
    for (const Linear &V : Variables)
      Result += V * DynamicAPInt(number(3));
    if (WithProduct)
      Result += Product * DynamicAPInt(number(2));
    return Result;
  }
  Conjunction conjunction(unsigned Largest, bool WithProduct) {
    Conjunction Result;
    for (unsigned Size = 1 + Random() % Largest; Size; --Size) {
      Linear Fact = expression(WithProduct);
      Result.push_back(Fact);
      if (chance(25))
        Result.push_back(-Fact);
    }
    return Result;
  }

  bool holds(const Conjunction &Facts, const Point &At) const {
    return llvm::all_of(Facts, [&](const Linear &Fact) {
      DynamicAPInt Sum = Fact.constant();
      for (auto [I, V] : llvm::enumerate(Variables))
        Sum += Fact.factorOf(*V.asVariable()) * DynamicAPInt(At[I]);
      if (HasProduct)
        Sum += Fact.factorOf(*Product.asVariable()) * DynamicAPInt(At[0]) *
               DynamicAPInt(At[1]);
      return Sum >= 0;
    });
  }

  /// Whether any point satisfies everything.
  bool isSolvable(const Conjunction &Facts,
                  llvm::ArrayRef<Choice> Choices) const {
    for (int64_t X = -Most; X <= Most; ++X)
      for (int64_t Y = -Most; Y <= Most; ++Y)
        for (int64_t Z = -Most; Z <= Most; ++Z)
          if (isSolution({X, Y, Z}, Facts, Choices))
            return true;
    return false;
  }
  bool isSolution(const Point &At, const Conjunction &Facts,
                  llvm::ArrayRef<Choice> Choices) const {
    return holds(Facts, At) && llvm::all_of(Choices, [&](const Choice &OneOf) {
             return llvm::any_of(OneOf, [&](const Conjunction &Each) {
               return holds(Each, At);
             });
           });
  }

  std::mt19937 Random{1};
  Linear Variables[3], Product;
  bool HasProduct = false;
};

TEST_P(RandomSystem, AgreesWithTryingAllValues) {
  HasProduct = GetParam();
  unsigned NumSolvable = 0, NumContradictions = 0, NumUnknown = 0;
  for (unsigned Try = 0; Try < 400; ++Try) {
    Solver S;
    for (Linear &V : Variables)
      V = S.addVariable();
    for (const Linear &V : Variables) {
      S.assume(V + Most);
      S.assume(Linear(Most) - V);
    }
    if (HasProduct)
      Product = S.multiply(Variables[0], Variables[1]);
    Conjunction Facts = conjunction(4, HasProduct);
    S.assume(Facts);
    std::vector<Choice> Choices;
    while (chance(40)) {
      Choices.push_back({conjunction(2, HasProduct), conjunction(2, false)});
      S.assume(Choices.back());
    }
    Conjunction Additional;
    if (chance(50))
      Additional = conjunction(1, HasProduct);

    Answer Said = S.check(Additional);
    Conjunction All = Facts;
    All.append(Additional);
    bool Is = isSolvable(All, Choices);
    if (Said == Answer::Contradiction) {
      EXPECT_FALSE(Is) << "system " << Try;
      ++NumContradictions;
    } else if (Said == Answer::Solvable) {
      EXPECT_TRUE(Is) << "system " << Try;
      Point At;
      for (auto [I, V] : llvm::enumerate(Variables))
        At[I] = int64_t(S.evaluate(V));
      EXPECT_TRUE(isSolution(At, All, Choices)) << "system " << Try;
      ++NumSolvable;
    } else {
      ++NumUnknown;
    }
    // Asking leaves nothing.
    if (!Additional.empty() && Said == Answer::Solvable)
      EXPECT_NE(S.check(), Answer::Contradiction) << "system " << Try;
  }
  EXPECT_GT(NumSolvable, 50u);
  EXPECT_GT(NumContradictions, 50u);
  // An answer is expected of systems that are this small.
  EXPECT_LE(NumUnknown, 4u);
}

INSTANTIATE_TEST_SUITE_P(Solver, RandomSystem, testing::Values(0, 1),
                         [](const testing::TestParamInfo<unsigned> &Info) {
                           return Info.param ? "WithProduct" : "Linear";
                         });

} // namespace
