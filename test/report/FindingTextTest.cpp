//===- FindingTextTest.cpp - Names and lines in findings ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingText.h"
#include "../Testing.h"
#include "support/SourceFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay::report;
using namespace llvm;

/// The name found in one line of source, at the given text.
static std::string nameIn(StringRef Source, StringRef At) {
  int Fd;
  SmallString<128> Path;
  EXPECT_FALSE(sys::fs::createTemporaryFile("finding", "cpp", Fd, Path));
  raw_fd_ostream(Fd, /*shouldClose=*/true) << "// first line\n" << Source;
  belay::support::allowSources(Path.str().str());
  auto Column = static_cast<unsigned>(Source.find(At) + 1);
  std::string Name = firstArgumentAt({Path.str().str(), 2, Column});
  sys::fs::remove(Path);
  return Name;
}

TEST(FindingText, BuffersHaveTheNameOfTheFirstArgument) {
  EXPECT_EQ(nameIn("pipe.InitBuffer(inQueueX, 2, 512);", "Init"), "inQueueX");
  EXPECT_EQ(nameIn("pipe->InitBuffer( this->buf,\n 512);", "Init"), "buf");
  EXPECT_EQ(nameIn("p.InitBuffer(q[i % 2], 2, f(1, 2));", "Init"), "q[i % 2]");
  EXPECT_EQ(nameIn("p.InitBuffer(q[i], 2, f(1, 2));", "Init"), "q[i]");
  EXPECT_EQ(nameIn("p.template InitBuffer<T, 2>(op.q, 2);", "Init"), "op.q");
}

TEST(FindingText, WhatIsNoNameIsLeftOut) {
  EXPECT_EQ(nameIn("pipe.InitBuffer(pick(1), 2, 512);", "Init"), "");
  EXPECT_EQ(nameIn("SET_UP_BUFFERS;", "SET"), "");
  EXPECT_EQ(nameIn("pipe.InitBuffer(unfinished", "Init"), "");
  EXPECT_EQ(nameIn("", "x"), "");
  EXPECT_EQ(firstArgumentAt({"/no/such/file", 1, 1}), "");
}

TEST(FindingText, Ordinals) {
  EXPECT_EQ(ordinal(1) + ordinal(2) + ordinal(3) + ordinal(4), "1st2nd3rd4th");
  EXPECT_EQ(ordinal(11) + ordinal(12) + ordinal(13), "11th12th13th");
  EXPECT_EQ(ordinal(21) + ordinal(102) + ordinal(113), "21st102nd113th");
}
