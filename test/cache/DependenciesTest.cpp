//===- DependenciesTest.cpp - The files a compilation read ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cache/Dependencies.h"

#include <gtest/gtest.h>

using namespace belay::cache;

TEST(Dependencies, AreParsedAsMakeWould) {
  EXPECT_EQ(parseDependencies("/tmp/x.o: /a/k.cpp \\\n  /b/with\\ space.h \\\n"
                              "  /c/$$money.h /d/ha\\#sh.h\n"),
            (std::vector<std::string>{"/a/k.cpp", "/b/with space.h",
                                      "/c/$money.h", "/d/ha#sh.h"}));
  EXPECT_TRUE(parseDependencies("").empty());
}
