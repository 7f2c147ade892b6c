//===- ClauseTest.cpp - What a launch has to be like ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Clause.h"
#include "check/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace belay::check;
using Kind = LaunchNumber::Kind;
using Is = Clause::Atom::Kind;

namespace {

LaunchNumber number(Kind What, std::string Name, unsigned Argument = 0) {
  LaunchNumber N;
  N.What = What;
  N.Name = std::move(Name);
  N.Argument = Argument;
  N.Width = 4;
  return N;
}

/// n, the index of the block, how many there are, (n + 31) / 32.
std::vector<LaunchNumber> numbers() {
  std::vector<LaunchNumber> All = {number(Kind::Scalar, "n"),
                                   number(Kind::Block, "GetBlockIdx()"),
                                   number(Kind::Blocks, "GetBlockNum()"),
                                   number(Kind::Quotient, "(n + 31)/32")};
  All[3].Dividend = {31, {{1, {0}}}};
  All[3].Divisor = {32, {}};
  return All;
}

Answer ask(const Clause &C, int64_t N, uint32_t Blocks = 1) {
  return evaluate(C, numbers(), Blocks,
                  [N](const LaunchNumber &) { return std::optional(N); });
}

Clause notNegative(Polynomial P) { return {{{Is::NotNegative, P}}, "text"}; }

TEST(Clause, isExactAtItsLimit) {
  Clause C = notNegative({1024, {{-4, {0}}}});
  EXPECT_EQ(ask(C, 256), Answer::Holds);
  EXPECT_EQ(ask(C, 257), Answer::Violated);
}

TEST(Clause, roundsUpAsTheQuotientDoes) {
  Clause C = notNegative({1024, {{-32, {3}}}});
  EXPECT_EQ(ask(C, 1024), Answer::Holds);
  EXPECT_EQ(ask(C, 1025), Answer::Violated);
  EXPECT_EQ(ask(C, 993), Answer::Holds);
}

TEST(Clause, holdsWhereItsPathIsNotTaken) {
  // n <= 4, where n >= 3
  Clause C = {{{Is::NotNegative, {4, {{-1, {0}}}}},
               {Is::NotNegative, {2, {{-1, {0}}}}}},
              ""};
  EXPECT_EQ(ask(C, 1), Answer::Holds);
  EXPECT_EQ(ask(C, 4), Answer::Holds);
  EXPECT_EQ(ask(C, 5), Answer::Violated);
}

TEST(Clause, isAskedOfEveryBlock) {
  // GetBlockIdx() * n <= 30
  Clause C = notNegative({30, {{-1, {0, 1}}}});
  EXPECT_EQ(ask(C, 10, 4), Answer::Holds);
  EXPECT_EQ(ask(C, 10, 5), Answer::Violated);
}

TEST(Clause, otherKinds) {
  Polynomial N = {0, {{1, {0}}}};
  Clause Zero = {{{Is::Zero, N}}, ""}, NotZero = {{{Is::NotZero, N}}, ""},
         Multiple = {{{Is::Multiple, N, 32}}, ""};
  EXPECT_EQ(ask(Zero, 0), Answer::Holds);
  EXPECT_EQ(ask(Zero, 1), Answer::Violated);
  EXPECT_EQ(ask(NotZero, 0), Answer::Violated);
  EXPECT_EQ(ask(NotZero, -1), Answer::Holds);
  EXPECT_EQ(ask(Multiple, 64), Answer::Holds);
  EXPECT_EQ(ask(Multiple, -32), Answer::Holds);
  EXPECT_EQ(ask(Multiple, 48), Answer::Violated);
}

TEST(Clause, whatIsMissingNeverHolds) {
  Clause C = notNegative({1024, {{-4, {0}}}});
  EXPECT_EQ(
      evaluate(C, numbers(), 1,
               [](const LaunchNumber &) { return std::optional<int64_t>(); }),
      Answer::NotKnown);
  // Outside of what was shown.
  std::vector<LaunchNumber> Limited = numbers();
  Limited[0].Least = 0;
  EXPECT_EQ(
      evaluate(C, Limited, 1,
               [](const LaunchNumber &) { return std::optional<int64_t>(-1); }),
      Answer::NotKnown);
  // The checker divides nothing that is negative.
  EXPECT_EQ(ask(notNegative({1024, {{-32, {3}}}}), -100), Answer::NotKnown);
  // n * n * n leaves 128 bits.
  EXPECT_EQ(ask(notNegative({0, {{1, {0, 0, 0}}}}), INT64_MAX),
            Answer::NotKnown);
}

TEST(Clause, survivesTheReport) {
  Report R;
  KernelReport &K = R.Kernels.emplace_back();
  K.Name = "kernel";
  K.Numbers = numbers();
  Clause C = {{{Is::NotNegative, {1024, {{-32, {3}}}}},
               {Is::Multiple, {-1, {{2, {0, 1}}}}, 64}},
              "text"};
  K.Doubts[Topic::Capacity].push_back({{"k.cpp", 3, 1}, "why", C});
  EXPECT_EQ(R.verdictOf(K, Topic::Capacity), Verdict::CleanIf);

  std::string Text = llvm::formatv("{0}", toJson(R));
  llvm::Expected<Report> Read = parseReport(Text);
  ASSERT_TRUE(static_cast<bool>(Read));
  const KernelReport &Same = Read->Kernels[0];
  EXPECT_EQ(Same.Numbers, K.Numbers);
  EXPECT_EQ(Same.Doubts.at(Topic::Capacity)[0].If, C);
  EXPECT_EQ(Read->verdictOf(Same, Topic::Capacity), Verdict::CleanIf);

  // One doubt that no launch decides, and nothing is clean.
  K.Doubts[Topic::Capacity].push_back({{"k.cpp", 4, 1}, "other"});
  EXPECT_EQ(R.verdictOf(K, Topic::Capacity), Verdict::Unknown);
}

TEST(Clause, thatNamesNumbersWhichAreNotThereIsNone) {
  Report R;
  KernelReport &K = R.Kernels.emplace_back();
  K.Doubts[Topic::Bounds].push_back({{}, "why", notNegative({0, {{1, {7}}}})});
  llvm::Expected<Report> Read =
      parseReport(llvm::formatv("{0}", toJson(R)).str());
  ASSERT_TRUE(static_cast<bool>(Read));
  EXPECT_EQ(Read->verdictOf(Read->Kernels[0], Topic::Bounds), Verdict::Unknown);
}

} // namespace
