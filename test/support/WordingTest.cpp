//===- WordingTest.cpp - Lines and names in texts of findings -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Wording.h"
#include <gtest/gtest.h>

using namespace belay::support;
using llvm::StringRef;

TEST(Wording, FillsInLinesAndNames) {
  SourcePlace Here = {"a/k.cpp", 44, 3}, Other = Here;
  Other.Line = 41;
  StringRef Text = "{buffer|UB}: after {other}, before {here} {x}{";
  EXPECT_EQ(completeText(Text, Here, Other, "'tmp'"),
            "'tmp': after line 41, before line 44 {x}{");
  Other.File = "a/other.h";
  EXPECT_EQ(completeText(Text, Here, Other, ""),
            "UB: after line 41 of other.h, before line 44 {x}{");
  EXPECT_EQ(completeText(Text, {}, {}, ""),
            "UB: after the first, before the second {x}{");
}
