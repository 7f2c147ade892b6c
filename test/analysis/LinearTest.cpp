//===- LinearTest.cpp - Linear expressions and facts ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Linear.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace belay::analysis;

namespace {

using Point = std::vector<int64_t>;

DynamicAPInt valueAt(const Linear &Expr, const Point &At) {
  DynamicAPInt Sum = Expr.constant();
  for (const Linear::Term &T : Expr.terms())
    Sum += T.Factor * DynamicAPInt(At[T.Variable]);
  return Sum;
}

bool holds(const Conjunction &Facts, const Point &At) {
  return llvm::all_of(
      Facts, [&](const Linear &Fact) { return valueAt(Fact, At) >= 0; });
}

bool holds(const Choice &OneOf, const Point &At) {
  return llvm::any_of(
      OneOf, [&](const Conjunction &Facts) { return holds(Facts, At); });
}

class LinearTest : public testing::Test {
protected:
  int64_t number(int64_t Most) {
    return std::uniform_int_distribution<int64_t>(-Most, Most)(Random);
  }
  Linear expression() {
    Linear Result(number(9));
    for (unsigned V = 0; V < 3; ++V)
      Result += Linear::variable(V) * DynamicAPInt(number(2));
    return Result;
  }
  Conjunction conjunction(unsigned Size) {
    Conjunction Result;
    for (unsigned I = 0; I < Size; ++I)
      Result.push_back(expression());
    return Result;
  }
  Point point() { return {number(5), number(5), number(5)}; }

  std::mt19937 Random{1};
};

TEST_F(LinearTest, ComputesAsIntegersDo) {
  for (int Try = 0; Try < 500; ++Try) {
    Linear A = expression(), B = expression();
    DynamicAPInt Factor(number(4));
    Point At = point();
    DynamicAPInt X = valueAt(A, At), Y = valueAt(B, At);
    EXPECT_EQ(valueAt(A + B, At), X + Y);
    EXPECT_EQ(valueAt(A - B, At), X - Y);
    EXPECT_EQ(valueAt(-A, At), -X);
    EXPECT_EQ(valueAt(A * Factor, At), X * Factor);
  }
}

TEST_F(LinearTest, IsSortedAndHasNoZeros) {
  for (int Try = 0; Try < 500; ++Try) {
    Linear Sum = expression() + expression();
    unsigned Next = 0;
    for (const Linear::Term &T : Sum.terms()) {
      EXPECT_GE(T.Variable, Next);
      EXPECT_NE(T.Factor, 0);
      EXPECT_EQ(Sum.factorOf(T.Variable), T.Factor);
      Next = T.Variable + 1;
    }
  }
  Linear X = Linear::variable(2);
  EXPECT_TRUE((X - X).isConstant());
  EXPECT_TRUE((X * DynamicAPInt(0)).isConstant());
  EXPECT_EQ(X.factorOf(1), 0);
}

TEST_F(LinearTest, KnowsEqualExpressions) {
  for (int Try = 0; Try < 500; ++Try) {
    Linear A = expression(), B = expression();
    EXPECT_TRUE(A + B - B == A);
    EXPECT_FALSE(A + 1 == A);
    EXPECT_FALSE(A + Linear::variable(3) == A);
  }
}

TEST_F(LinearTest, NamesSingleVariables) {
  Linear X = Linear::variable(4);
  EXPECT_EQ(X.asVariable(), 4u);
  EXPECT_EQ((X + 1).asVariable(), std::nullopt);
  EXPECT_EQ((X * DynamicAPInt(2)).asVariable(), std::nullopt);
  EXPECT_EQ((X + Linear::variable(5)).asVariable(), std::nullopt);
  EXPECT_EQ(Linear(4).asVariable(), std::nullopt);
}

TEST_F(LinearTest, DoesNotOverflow) {
  Linear Large = Linear::variable(0) * DynamicAPInt(INT64_MAX);
  EXPECT_EQ((Large + Large).factorOf(0),
            DynamicAPInt(INT64_MAX) * DynamicAPInt(2));
  EXPECT_EQ((-(-Large)).factorOf(0), DynamicAPInt(INT64_MAX));
}

TEST_F(LinearTest, Compares) {
  for (int Try = 0; Try < 500; ++Try) {
    Linear A = expression(), B = expression();
    Point At = point();
    DynamicAPInt X = valueAt(A, At), Y = valueAt(B, At);
    EXPECT_EQ(valueAt(atLeast(A, B), At) >= 0, X >= Y);
    EXPECT_EQ(valueAt(atMost(A, B), At) >= 0, X <= Y);
    EXPECT_EQ(valueAt(less(A, B), At) >= 0, X < Y);
    EXPECT_EQ(holds(equals(A, B), At), X == Y);
  }
}

TEST_F(LinearTest, Negates) {
  for (int Try = 0; Try < 500; ++Try) {
    Conjunction Facts = conjunction(1 + Try % 3);
    Point At = point();
    EXPECT_NE(valueAt(negate(Facts[0]), At) >= 0, valueAt(Facts[0], At) >= 0);
    EXPECT_NE(holds(negate(Facts), At), holds(Facts, At));
  }
}

TEST_F(LinearTest, Conjoins) {
  for (int Try = 0; Try < 500; ++Try) {
    Choice A = {conjunction(1), conjunction(2)}, B = {conjunction(1), {}};
    Point At = point();
    EXPECT_EQ(holds(conjoin(A, B), At), holds(A, At) && holds(B, At));
  }
}

/// Where there are too many alternatives, facts may be lost, but none is made.
TEST_F(LinearTest, ConjoinsNothingFalse) {
  Choice Many;
  for (int I = 0; I < 8; ++I)
    Many.push_back(conjunction(1));
  Choice Both = conjoin(Many, Many);
  for (int Try = 0; Try < 500; ++Try) {
    Point At = point();
    if (holds(Many, At))
      EXPECT_TRUE(holds(Both, At));
  }
}

} // namespace
