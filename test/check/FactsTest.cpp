//===- FactsTest.cpp - What is proved of numbers, and what is refuted -----===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Models.h"
#include "check/Number.h"
#include "gtest/gtest.h"
#include <random>

using namespace belay::check;

namespace {

class FactsTest : public ::testing::Test {
protected:
  Number symbol(const char *Name, int64_t Least = 0,
                int64_t Most = 0xffffffff) {
    return Number::symbol(Names.get(Name, [&] {
      return Symbol{Name, Least, Most, Origin::Launch, {}, false};
    }));
  }

  /// L / By as the interpreter makes it.
  Number quotient(const char *Name, const Number &L, int64_t By) {
    SymbolId S = Names.get(Name, [&] {
      return Symbol{Name, 0, 0xffffffff, Origin::Derived, {}, false};
    });
    Number Rest = L;
    EXPECT_TRUE(Rest.add(Number::symbol(S), -By));
    Names[S].Facts = {Rest, Number(By - 1) - Rest};
    Names[S].Dividend = L;
    Names[S].Divisor = Number(By);
    return Number::symbol(S);
  }

  static Number times(const Number &N, int64_t Factor) {
    Number Result;
    EXPECT_TRUE(Result.add(N, Factor));
    return Result;
  }

  Symbols Names;
};

TEST_F(FactsTest, ProductsOfWhatIsAtMost) {
  Number M = symbol("m"), K = symbol("k");
  Facts Known(Names);
  for (const Number &N : {M, K}) {
    Number Of16 = quotient(N == M ? "m/16" : "k/16", N, 16);
    Known.assumeZero(N - times(Of16, 16));
    Known.assume(N - Number(16));
    Known.assume(Number(128) - N);
  }
  Number All = *Number::multiply(M, K);
  EXPECT_TRUE(Known.holds(Number(128 * 128) - All));
  EXPECT_FALSE(Known.holds(Number(128 * 128 - 1) - All));
  EXPECT_TRUE(Known.holds(Number(128 * 128) - All + K));
}

TEST_F(FactsTest, SumsOfTwoFacts) {
  Number K = symbol("k"), Strip = symbol("strip"), Step = symbol("step");
  Facts Known(Names);
  // Facts that lead nowhere must not use up the search for those that do.
  for (int I = 0; I < 40; ++I)
    Known.assume(symbol(("n" + std::to_string(I)).c_str()) + Step - K +
                 Number(I));
  Known.assume(times(Strip, 3) - K);
  Known.assume(times(Step, 2) - Strip);
  EXPECT_TRUE(Known.holds(times(Strip, 2) + times(Step, 2) - K));
  EXPECT_FALSE(Known.holds(times(Strip, 2) + Step - K));
}

/// Rows of so many columns, of which one comes after another.
TEST_F(FactsTest, ProductsOfFacts) {
  Number Columns = symbol("columns"), Row = symbol("row"),
         Next = symbol("next");
  Number Signed = symbol("signed", -5, 5);
  Facts Known(Names);
  auto Product = [](const Number &A, const Number &B) {
    return *Number::multiply(A, B);
  };
  Number Apart = Product(Columns, Next) - Product(Columns, Row) - Columns;
  EXPECT_FALSE(Known.holds(Apart));
  Known.assume(Next - Row - Number(1));
  EXPECT_TRUE(Known.holds(Apart));
  EXPECT_TRUE(Known.holds(Apart + Row + Number(3)));
  EXPECT_FALSE(Known.holds(Apart - Number(1)));
  EXPECT_FALSE(Known.holds(Apart - Columns));
  EXPECT_TRUE(Known.holds(Product(Columns, Apart)));
  EXPECT_FALSE(
      Known.holds(Product(Signed, Next) - Product(Signed, Row) - Signed));
}

/// Tiles of all blocks are no fewer than those of one.
TEST_F(FactsTest, ProductsAreAtLeastTheirFactors) {
  Number Group = symbol("group"), Blocks = symbol("blocks", 1, 65535),
         Any = symbol("any"), Signed = symbol("signed", -5, 5);
  auto Product = [](const Number &A, const Number &B) {
    return *Number::multiply(A, B);
  };
  Facts Known(Names);
  EXPECT_TRUE(Known.holds(Product(Group, Blocks) - Group));
  EXPECT_FALSE(Known.holds(Product(Group, Blocks) - times(Group, 2)));
  EXPECT_FALSE(Known.holds(Product(Group, Any) - Group));
  EXPECT_FALSE(Known.holds(Product(Signed, Blocks) - Signed));
  // In a proof with facts.
  Number Rows = symbol("rows"), Row = symbol("row");
  Known.assume(Group - Rows + Row - Number(1));
  EXPECT_TRUE(Known.holds(Row + Product(Group, Blocks) - Rows));
  EXPECT_FALSE(Known.holds(Row - Rows));
}

/// Tiles of half a buffer each: (block / tiles) / 2, as often as there are.
TEST_F(FactsTest, ProductsOfWhatWasDividedTwice) {
  Number Block = symbol("block"), Tiles = symbol("tiles", 1, 1000);
  Number Share = Number::symbol(Names.get("block/tiles", [] {
    return Symbol{"block/tiles", 0, 0xffffffff, Origin::Derived, {}, false};
  }));
  Number Taken = *Number::multiply(Share, Tiles);
  Share.forEachSymbol([&](SymbolId S) {
    Names[S].Facts = {Block - Taken, Tiles - Number(1) - Block + Taken};
    Names[S].Dividend = Block;
    Names[S].Divisor = Tiles;
  });
  Number Half = quotient("half", Share, 2);
  Number All = times(*Number::multiply(Half, Tiles), 2);
  Facts Known(Names);
  EXPECT_TRUE(Known.holds(Block - All));
  EXPECT_FALSE(Known.holds(Block - All - Number(1)));
  EXPECT_FALSE(Known.holds(Block - All - Half));
  Known.assume(Half - Number(1));
  EXPECT_FALSE(Known.holds(Block - All - Half));
}

TEST_F(FactsTest, NumbersWithOneValueOnly) {
  Number N = symbol("n"), M = symbol("m");
  Facts Known(Names);
  EXPECT_EQ(Known.constantOf(Number(7)), 7);
  EXPECT_EQ(Known.constantOf(N), std::nullopt);
  Known.assume(N - Number(3));
  EXPECT_EQ(Known.constantOf(N), std::nullopt);
  Known.assume(Number(3) - N);
  EXPECT_EQ(Known.constantOf(N), 3);
  EXPECT_EQ(Known.constantOf(times(N, 2) - Number(1)), 5);
  EXPECT_EQ(Known.constantOf(N + M), std::nullopt);
}

TEST_F(FactsTest, FactsThatExcludeEachOther) {
  Number N = symbol("n"), M = symbol("m");
  Facts Known(Names);
  EXPECT_TRUE(Known.arePossible());
  Known.assume(N - times(M, 2));
  EXPECT_TRUE(Known.arePossible());
  Known.assume(M - N - Number(1));
  EXPECT_FALSE(Known.arePossible());
}

TEST_F(FactsTest, WholeNumbersAreRounded) {
  Number N = symbol("n"), Q = quotient("q", N + Number(15), 16);
  Facts Known(Names);
  Known.assume(Number(32) - N);
  // 16 q <= n + 15 <= 47, so q <= 2.
  EXPECT_TRUE(Known.holds(Number(2) - Q));
  EXPECT_FALSE(Known.holds(Number(1) - Q));
}

TEST_F(FactsTest, SumsAreThoseOfAdd) {
  Number A = symbol("a") + times(symbol("b"), 3) + Number(5);
  Number B = times(symbol("b"), 2) - symbol("c") - Number(1);
  Number Slow = times(A, 2), Quick = symbol("z");
  ASSERT_TRUE(Slow.add(B, -3));
  ASSERT_TRUE(Quick.setSum(A, 2, B, -3));
  EXPECT_EQ(Quick, Slow);
  EXPECT_EQ(Quick.hash(), Slow.hash());
  EXPECT_FALSE(Quick.setSum(A, INT64_MAX, B, 1));
}

TEST_F(FactsTest, ModelsRefuteOnlyWhatCanBeNegative) {
  Number N = symbol("n"), M = symbol("m");
  Models Examples(Names);
  std::vector<Number> All;
  auto Assume = [&](const Number &Fact) {
    All.push_back(Fact);
    Examples.assume(Fact, All, /*List=*/All.size());
  };
  Assume(N - Number(100));
  Assume(times(M, 2) - N);
  Assume(N - M);
  EXPECT_FALSE(Examples.refute(M - Number(50)));
  EXPECT_TRUE(Examples.refute(Number(99) - N));
  // None of those at hand; one that is looked for does.
  Number Rare = Number(7777) - N;
  Examples.learn(Rare, All);
  EXPECT_TRUE(Examples.refute(Rare));
  EXPECT_FALSE(Examples.refute(N - M));
}

TEST_F(FactsTest, ModelsSatisfyQuotients) {
  Number N = symbol("n"), Q = quotient("q", N, 8);
  Models Examples(Names);
  std::vector<Number> All = {Q - Number(3)};
  Examples.assume(All[0], All, /*List=*/1);
  EXPECT_FALSE(Examples.refute(N - Number(24)));
  EXPECT_TRUE(Examples.refute(Number(23) - N));
  EXPECT_FALSE(Examples.refute(times(Q, 8) + Number(7) - N));
}

/// Whatever is proved is true: for values that satisfy random facts, no number
/// that holds is negative.
TEST_F(FactsTest, NothingFalseIsProved) {
  std::mt19937 Random(1);
  auto Pick = [&](int Least, int Most) {
    return std::uniform_int_distribution<int>(Least, Most)(Random);
  };
  std::vector<Number> Bases = {symbol("a", 0, 40), symbol("b", -5, 40),
                               symbol("c", 1, 40)};
  Bases.push_back(quotient("a/4", Bases[0], 4));
  // The smaller and the larger of two, one of two by a third, and by equality;
  // one of those again.
  auto Choose = [&](Number Then, Number Else, Number Yes, bool Equality) {
    Number No = Number(-1) - Yes;
    Bases.push_back(
        Number::symbol(Names.choose({Then, Else, Yes, No, Equality})));
  };
  Choose(Bases[0], Bases[1], Bases[1] - Bases[0], false);
  Choose(Bases[2], Bases[1], Bases[2] - Bases[1], false);
  Choose(Bases[2] + Number(3), times(Bases[0], 2), Bases[1] - Number(9), false);
  Choose(Bases[1], Number(7), Bases[0] - Bases[2], true);
  Choose(Bases[4], Bases[6], Bases[5] - Bases[2] - Number(1), false);
  EXPECT_EQ(Names[4].Chosen->Is, Alternatives::Which::Smaller);
  EXPECT_EQ(Names[5].Chosen->Is, Alternatives::Which::Larger);
  // Products make proofs long: in some rounds.
  const size_t Plain = Bases.size();
  for (unsigned Other : {0, 1, 2})
    Bases.push_back(*Number::multiply(Bases[2], Bases[Other]));
  unsigned Proved = 0;
  for (int Round = 0; Round < 1000; ++Round) {
    std::vector<std::pair<SymbolId, int64_t>> Values = {
        {0, Pick(0, 40)}, {1, Pick(-5, 40)}, {2, Pick(1, 40)}};
    Values.push_back({3, Values[0].second / 4});
    Facts Known(Names);
    auto Any = [&] {
      Number N(Pick(-20, 20));
      size_t Most = Round % 16 ? Plain : Bases.size();
      for (const Number &Base : llvm::ArrayRef(Bases).take_front(Most))
        if (Pick(0, 1))
          EXPECT_TRUE(N.add(Base, Pick(-3, 3)));
      return N;
    };
    for (int I = 0; I < 6; ++I)
      if (Number Fact = Any(); *Known.evaluate(Fact, Values) >= 0)
        Known.assume(Fact);
    for (int I = 0; I < 20; ++I)
      if (Number Claim = Any(); Known.holds(Claim)) {
        ++Proved;
        EXPECT_GE(static_cast<int64_t>(*Known.evaluate(Claim, Values)), 0)
            << Names.str(Claim);
      }
  }
  EXPECT_GT(Proved, 100U);
}

TEST_F(FactsTest, ChosenNumbersAreProvedBothWays) {
  Number Left = symbol("left", 0, 100000), Tile = symbol("tile", 1, 4096);
  Number Less = Tile - Left - Number(1);
  Number Count =
      Number::symbol(Names.choose({Left, Tile, Less, Number(-1) - Less}));
  Facts Known(Names);
  EXPECT_TRUE(Known.holds(Tile - Count));
  EXPECT_TRUE(Known.holds(Left - Count));
  EXPECT_TRUE(Known.holds(Count));
  EXPECT_FALSE(Known.holds(Count - Number(1)));
  EXPECT_FALSE(Known.holds(Count - Tile));
  Known.assume(Left - Number(1));
  EXPECT_TRUE(Known.holds(Count - Number(1)));
  // The larger one, as by a comparison in the other direction.
  Number Wrong =
      Number::symbol(Names.choose({Tile, Left, Less, Number(-1) - Less}));
  EXPECT_FALSE(Known.holds(Tile - Wrong));
  EXPECT_TRUE(Known.holds(Wrong - Tile));
}

TEST_F(FactsTest, SumsThatLeave64BitsAreNothing) {
  Number Large(std::numeric_limits<int64_t>::max());
  Number Sum = Large + Number(1), Difference = Number() - Large - Number(2);
  for (const Number &Each : {Sum, Difference}) {
    EXPECT_FALSE(Each.fits());
    EXPECT_FALSE(Each.isConstant());
    EXPECT_FALSE(Each == Each);
    EXPECT_FALSE(Number::multiply(Each, 1).has_value());
  }
  Facts Known(Names);
  EXPECT_FALSE(Known.holds(Sum));
  // It stays so, whatever is taken away again.
  EXPECT_FALSE((Sum - Large).fits());
  EXPECT_FALSE(Known.holds(Sum - Large));
  Number Factor = times(symbol("n"), std::numeric_limits<int64_t>::max());
  EXPECT_FALSE((Factor + symbol("n")).fits());
  EXPECT_FALSE(Known.holds(Factor + symbol("n")));
}

TEST_F(FactsTest, InfiniteLimitsStayInfinite) {
  // Products of up to 2^186, one added and one taken away.
  Number A = symbol("a", 0, int64_t(1) << 62),
         B = symbol("b", 0, int64_t(1) << 62),
         C = symbol("c", 0, int64_t(1) << 62);
  Number P = *Number::multiply(*Number::multiply(A, B), C);
  Number Q = *Number::multiply(*Number::multiply(A, A), C);
  Facts Known(Names);
  EXPECT_FALSE(Known.holds(P - Q));
  EXPECT_FALSE(Known.holds(P - Q + Number(1)));
  auto [Least, Most] = Known.range(P - Q);
  EXPECT_LT(Least, -(static_cast<__int128>(1) << 99));
  EXPECT_GT(Most, static_cast<__int128>(1) << 99);
  // At least 2^62 times at least 4 is no more than 2^64.
  Number L = symbol("large", int64_t(1) << 61, int64_t(1) << 62),
         S = symbol("some", 4, 8);
  Number R = *Number::multiply(*Number::multiply(L, S), Number(2));
  EXPECT_LE(Known.range(R).first, static_cast<__int128>(1) << 64);
}

} // namespace
