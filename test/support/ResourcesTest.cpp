//===- ResourcesTest.cpp - What lies beside the executable ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Resources.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace belay::support;

// The test itself runs in the build tree, deeper than bin/.
TEST(Resources, AreFoundFromTheBuildTree) {
  ASSERT_NE(getPrefix(), "");
  EXPECT_TRUE(llvm::sys::fs::is_directory(getSharePath()));
  EXPECT_EQ(getSharePath("ascendc"), getPrefix() + "/share/belay/ascendc");
  EXPECT_EQ(getLibexecPath("x"), getPrefix() + "/libexec/belay/x");
  EXPECT_EQ(getLibPath("x.so"), getPrefix() + "/lib/x.so");
}
