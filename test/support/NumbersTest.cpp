//===- NumbersTest.cpp - Numbers as text ----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Numbers.h"

#include <gtest/gtest.h>

using namespace belay::support;

TEST(Numbers, Bytes) {
  EXPECT_EQ(parseBytes("4096"), 4096u);
  EXPECT_EQ(parseBytes("16M"), 16u << 20);
  EXPECT_EQ(parseBytes("2GiB"), 2ull << 30);
  EXPECT_EQ(parseBytes("1kB"), 1024u);
  for (const char *Text : {"", "x", "-1", "1.5M", "5X", "99999999T", "M"})
    EXPECT_FALSE(parseBytes(Text)) << Text;
}
