//===- ComparisonTest.cpp - When a kernel is called faster ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/ComparisonReport.h"

#include <gtest/gtest.h>

#include <memory>

using namespace belay::report;
using belay::timing::Answer;

namespace {

std::unique_ptr<Answer> cycles(std::initializer_list<double> Draws) {
  auto A = std::make_unique<Answer>();
  *A = {};
  for (double Each : Draws)
    A->Cycles[A->NumDraws++] = Each;
  return A;
}

Faster faster(std::initializer_list<double> First,
              std::initializer_list<double> Second) {
  return compareCycles(*cycles(First), *cycles(Second)).Which;
}

} // namespace

TEST(Comparison, FasterInAllDraws) {
  EXPECT_EQ(faster({100, 200, 400}, {80, 160, 320}), Faster::Second);
  EXPECT_EQ(faster({80, 160, 320}, {100, 200, 400}), Faster::First);
}

// One draw in which it is not is enough for a tie, however much the others say.
TEST(Comparison, NotInOneDraw) {
  EXPECT_EQ(faster({100, 200, 400}, {10, 20, 401}), Faster::Neither);
  EXPECT_EQ(faster({100, 200, 400}, {10, 20, 400}), Faster::Neither);
  EXPECT_EQ(faster({10, 20, 401}, {100, 200, 400}), Faster::Neither);
}

// Less than 15 % in the middle is a tie, even if it holds in all draws.
TEST(Comparison, LessThanAnyoneCanSay) {
  EXPECT_EQ(faster({100, 200, 400}, {90, 180, 360}), Faster::Neither);
  EXPECT_EQ(faster({90, 180, 360}, {100, 200, 400}), Faster::Neither);
  EXPECT_EQ(faster({100, 200, 400}, {99, 173, 399}), Faster::Second);
  EXPECT_EQ(faster({100, 200, 400}, {100, 200, 400}), Faster::Neither);
}

TEST(Comparison, Ratios) {
  CycleRatio R =
      compareCycles(*cycles({100, 200, 400}), *cycles({50, 150, 100}));
  EXPECT_DOUBLE_EQ(R.Middle, 0.75);
  EXPECT_DOUBLE_EQ(R.Least, 0.25);
  EXPECT_DOUBLE_EQ(R.Most, 0.75);
}
