//===- CompilerMessagesTest.cpp - What Clang said -------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/CompilerMessages.h"

#include <gtest/gtest.h>

using namespace belay::toolchain;

TEST(CompilerMessages, TheWrapperIsNotShown) {
  CompilerMessages M = readCompilerMessages(
      "In file included from <belay-entry>:1:\n"
      "In file included from /home/me/k.cpp:2:\n"
      "/home/me/tile.h:3:11: error: expected ';'\n"
      "    3 | int x\n"
      "      |      ^\n"
      "In file included from <belay-entry>:1:\n"
      "/home/me/k.cpp:4:1: error: unknown type name 'foo'\n"
      "    4 | foo x;\n"
      "/home/me/k.cpp:1:1: note: see here\n"
      "2 errors generated.\n",
      "/home/me/k.cpp", "k.cpp");
  EXPECT_EQ(M.Text, "In file included from k.cpp:2:\n"
                    "/home/me/tile.h:3:11: error: expected ';'\n"
                    "    3 | int x\n"
                    "      |      ^\n"
                    "k.cpp:4:1: error: unknown type name 'foo'\n"
                    "    4 | foo x;\n"
                    "k.cpp:1:1: note: see here\n");
  EXPECT_TRUE(M.AboutWrapper.empty());
}

TEST(CompilerMessages, ErrorsOfTheWrapperAreTakenApart) {
  CompilerMessages M =
      readCompilerMessages("\x1b[1m<belay-entry>:3:13: "
                           "\x1b[0m\x1b[0;1;31merror: \x1b[0m\x1b[1muse of "
                           "undeclared identifier 'sub'\x1b[0m\n"
                           "    3 | BELAY_ENTRY(sub)\n"
                           "/x/entry.h:5:3: note: expanded from macro\n"
                           "/x/entry.h:9:3: error: no member named 'q' in 'T'\n"
                           "<belay-entry>:4:1: note: in instantiation\n"
                           "2 errors generated.\n",
                           "/k.cpp", "k.cpp");
  EXPECT_EQ(M.Text, "");
  EXPECT_EQ(M.AboutWrapper,
            (std::vector<std::string>{"use of undeclared identifier 'sub'",
                                      "no member named 'q' in 'T'"}));
}

TEST(CompilerMessages, SequencesWithoutAnEnd) {
  for (const char *Text : {"\x1b", "\x1b[", "a\x1b[0;1", "\x1b[1mb\x1b[0"})
    EXPECT_EQ(readCompilerMessages(Text, "/k.cpp", "k.cpp").Text,
              std::string(Text) + "\n");
}
