//===- SpellingTest.cpp - Nearest spelling --------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Spelling.h"

#include <gtest/gtest.h>

using namespace belay::support;

TEST(Spelling, EditDistance) {
  EXPECT_EQ(editDistance("", ""), 0u);
  EXPECT_EQ(editDistance("", "abc"), 3u);
  EXPECT_EQ(editDistance("abc", ""), 3u);
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
}

TEST(Spelling, NearestName) {
  std::vector<std::string_view> Names = {"run", "explain", "targets"};
  EXPECT_EQ(nearestName("explian", Names), "explain");
  EXPECT_EQ(nearestName("rum", Names), "run");
  EXPECT_EQ(nearestName("target", Names), "targets");
  EXPECT_EQ(nearestName("compile", Names), "");
  EXPECT_EQ(nearestName("", Names), "");
}
