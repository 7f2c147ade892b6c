//===- ScoresTest.cpp - Estimates of many results -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Scores.h"
#include "gtest/gtest.h"

using namespace belay::bench;

namespace {

/// The same by counting all subsets.
double countPassAtK(unsigned Samples, unsigned Good, unsigned K) {
  unsigned All = 0, Some = 0;
  for (unsigned Set = 0; Set < 1u << Samples; ++Set)
    if (static_cast<unsigned>(__builtin_popcount(Set)) == K) {
      ++All;
      Some += (Set & ((1u << Good) - 1)) != 0;
    }
  return static_cast<double>(Some) / All;
}

TEST(Scores, PassAtKIsUnbiased) {
  for (unsigned Samples = 1; Samples <= 9; ++Samples)
    for (unsigned Good = 0; Good <= Samples; ++Good)
      for (unsigned K = 1; K <= Samples; ++K)
        EXPECT_NEAR(passAtK({Samples, Good}, K), countPassAtK(Samples, Good, K),
                    1e-12)
            << Samples << " " << Good << " " << K;
}

TEST(Scores, TasksWithTooFewSamplesDoNotCount) {
  Tally Tasks[] = {{10, 10}, {10, 0}, {1, 1}};
  Estimate E = meanPassAtK(Tasks, 5);
  EXPECT_EQ(E.Tasks, 2u);
  EXPECT_DOUBLE_EQ(E.Value, 0.5);
  EXPECT_EQ(meanPassAtK(Tasks, 11).Tasks, 0u);
}

TEST(Scores, IntervalsHoldTheValue) {
  std::vector<double> Values;
  for (int I = 0; I < 100; ++I)
    Values.push_back(I < 30);
  Estimate E = meanOf(Values);
  EXPECT_NEAR(E.Value, 0.3, 1e-12);
  // A binomial of 100 has a deviation of 0.046 there.
  EXPECT_NEAR(E.Low, 0.21, 0.02);
  EXPECT_NEAR(E.High, 0.39, 0.02);
  EXPECT_EQ(meanOf(Values).Low, E.Low) << "the same each time";
  EXPECT_EQ(meanOf({}).Tasks, 0u);
  double One[] = {0.25};
  EXPECT_DOUBLE_EQ(meanOf(One).Low, 0.25);
}

} // namespace
