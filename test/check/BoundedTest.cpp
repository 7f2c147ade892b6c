//===- BoundedTest.cpp - Lists that say when they forget ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Bounded.h"
#include "gtest/gtest.h"
#include <set>

using namespace belay::check;

namespace {

/// Fills a list of this kind, and one more.
void fill(const ListLimit &Limit, std::set<Topic> Expected) {
  std::set<Topic> Told;
  Bounded<int> List(Limit, [&](Topic T, llvm::StringRef Why) {
    EXPECT_EQ(Why, Limit.Why);
    Told.insert(T);
  });
  for (size_t N = 0; N < Limit.Most; ++N)
    List.push_back(static_cast<int>(N));
  EXPECT_TRUE(Told.empty());
  EXPECT_FALSE(List.forgot());
  List.push_back(-1);
  EXPECT_EQ(Told, Expected);
  EXPECT_TRUE(List.forgot());
  EXPECT_EQ(List.size(), Limit.Most);
  EXPECT_EQ(List[0], 1);
  EXPECT_EQ(List[Limit.Most - 1], -1);
  List.clear();
  EXPECT_TRUE(List.empty());
  EXPECT_FALSE(List.forgot());
}

TEST(BoundedTest, EachListNamesItsTopics) {
  fill(limits::Accesses, {Topic::Sync});
  fill(limits::GlobalAccesses, {Topic::Cores});
  fill(limits::Written, {Topic::Values});
  fill(limits::Tensors, {});
}

TEST(BoundedTest, WhatIsErasedMakesRoom) {
  unsigned Told = 0;
  Bounded<int> List(limits::Written, [&](Topic, llvm::StringRef) { ++Told; });
  for (int N = 0; N < 1000; ++N) {
    List.eraseIf([](int) { return true; });
    List.push_back(N);
  }
  EXPECT_EQ(Told, 0U);
  EXPECT_EQ(List.size(), 1U);
}

} // namespace
