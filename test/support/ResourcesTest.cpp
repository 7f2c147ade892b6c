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
  EXPECT_EQ(getIncludePath(), getPrefix() + "/include");
  EXPECT_EQ(getSharePath("ascendc"), getPrefix() + "/share/belay/ascendc");
  EXPECT_EQ(getLibexecPath("x"), getPrefix() + "/libexec/belay/x");
  EXPECT_EQ(getLibPath("x.so"), getPrefix() + "/lib/belay/x.so");
}

TEST(Resources, KernelsThatComeWithBelayAreNotItsHeaders) {
  EXPECT_TRUE(isOwnHeader(getSharePath("ascendc/api/vector.h")));
  EXPECT_TRUE(isOwnHeader(getSharePath("abi/Launch.h")));
  EXPECT_TRUE(isOwnHeader(getSharePath("forwarding/x.h")));
  EXPECT_TRUE(isOwnHeader(getIncludePath() + "/belay/host.h"));
  EXPECT_FALSE(isOwnHeader(getSharePath("corpus/x/unsafe.cpp")));
  EXPECT_FALSE(isOwnHeader(getSharePath("examples/ascendc/add/add.cpp")));
  EXPECT_FALSE(isOwnHeader(getIncludePath() + "/other/x.h"));
  EXPECT_FALSE(isOwnHeader("/somewhere/else/share/belay/ascendc/x.h"));
}
