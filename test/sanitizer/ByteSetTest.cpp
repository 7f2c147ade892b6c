//===- ByteSetTest.cpp - Sets of bytes ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sanitizer/ByteSet.h"
#include "gtest/gtest.h"

#include <random>

using namespace belay::sim;

namespace {

TEST(ByteSet, StartsAsAsked) {
  EXPECT_FALSE(ByteSet(10000, false).intersects(0, 10000));
  EXPECT_TRUE(ByteSet(10000, true).contains(9999));
  EXPECT_FALSE(ByteSet(10000, true).intersects(5, 5));
}

TEST(ByteSet, AgreesWithAModel) {
  constexpr uint64_t Size = 20000, Page = 4096;
  std::mt19937 Random(1);
  auto Below = [&](uint64_t N) { return Random() % N; };
  for (bool Full : {false, true}) {
    ByteSet Set(Size, Full);
    std::vector<bool> Model(Size, Full);
    for (unsigned N = 0; N < 4000; ++N) {
      uint64_t Begin = Below(Size);
      uint64_t End = std::min(Size, Begin + Below(Below(3) ? 100 : 9000));
      if (Below(4) == 0) { // whole pages
        Begin = Begin / Page * Page;
        End = std::min(Size, Begin + Page * (1 + Below(2)));
      }
      bool Value = Below(2);
      Set.assign(Begin, End, Value);
      std::fill(Model.begin() + long(Begin), Model.begin() + long(End), Value);

      Begin = Below(Size);
      End = std::min(Size, Begin + Below(6000));
      bool Any =
          std::find(Model.begin() + long(Begin), Model.begin() + long(End),
                    true) != Model.begin() + long(End);
      ASSERT_EQ(Set.intersects(Begin, End), Any) << Begin << " to " << End;
      ASSERT_EQ(Set.count(Begin, End), static_cast<uint64_t>(std::count(
                                           Model.begin() + long(Begin),
                                           Model.begin() + long(End), true)));
      if (N % 100 == 0) {
        std::vector<bool> Runs(Size, false);
        Set.forEachRun(Size, [&](uint64_t First, uint64_t Last) {
          std::fill(Runs.begin() + long(First), Runs.begin() + long(Last),
                    true);
        });
        ASSERT_EQ(Runs, Model);
      }
    }
  }
}

} // namespace
