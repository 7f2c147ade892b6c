//===- ChatTest.cpp - What servers say, and what is made of it ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Testing.h"
#include "generate/Generator.h"
#include "generate/SourceText.h"
#include "support/Files.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace belay::generate;
using belay::testing::messageOf;
using belay::testing::TemporaryFolder;

namespace {

TEST(Reply, NothingButWholeAnswersCount) {
  std::string Event =
      R"(data: {"choices":[{"delta":{"content":"a"},"finish_reason":null}]})"
      "\n\n";
  EXPECT_EQ(readReply(Event + Event + "data: [DONE]\n\n").Text, "aa");
  // Cut anywhere: no text.
  std::string FullBody = Event + Event;
  for (size_t Size = 0; Size <= FullBody.size(); ++Size) {
    Reply Said = readReply(StringRef(FullBody).take_front(Size));
    EXPECT_NE(Said.Failure, "") << Size;
    EXPECT_EQ(Said.Text, "");
  }
  for (const char *Body :
       {"", "{", "[]", "{}", "null", "data: [DONE]", R"({"choices":[]})",
        R"({"choices":[3]})", R"({"choices":[{"message":{"content":7}}]})",
        R"({"error":{"message":"x"},"choices":[{"message":{"content":"a"}}]})",
        "data: {\"error\":{\"message\":\"x\"}}\n\ndata: [DONE]\n"})
    EXPECT_NE(readReply(Body).Failure, "") << Body;
  EXPECT_EQ(readReply(R"({"choices":[{"message":{"content":"a"}}]})").Failure,
            "");
}

TEST(SourceText, OnlyClosedBlocksOfCutAnswers) {
  StringRef Half = "```cpp\n__global__ void f() {}\n";
  EXPECT_EQ(sourceIn(Half, /*IsWhole=*/true).WhyNot, "");
  EXPECT_NE(sourceIn(Half, /*IsWhole=*/false).WhyNot, "");
  EXPECT_EQ(sourceIn((Half + "```\nmore").str(), /*IsWhole=*/false).WhyNot, "");
  EXPECT_NE(sourceIn("", /*IsWhole=*/true).WhyNot, "");
  EXPECT_NE(sourceIn("``````", /*IsWhole=*/true).WhyNot, "");
}

TEST(Prompts, WordsAreFilledOnce) {
  TemporaryFolder Folder;
  auto Put = [&](StringRef Name, StringRef Text) {
    cantFail(belay::support::writeFile(Folder / Name.str(),
                                       belay::support::toBytes(Text)));
  };
  Put("a.txt", "x {{w}} {{include b}}\n");
  Put("b.txt", "[{{w}}]\n");
  Put("c.txt", "{{include c}}");
  Put("d.txt", "{{nothing}}");
  Prompts P(Folder / "");
  EXPECT_EQ(cantFail(P.fill("a", {{"w", "{{w}}"}})), "x {{w}} [{{w}}]");
  EXPECT_NE(messageOf(P.fill("c", {})), "");
  EXPECT_NE(messageOf(P.fill("d", {})), "");
}

TEST(Folder, ModelsDoNotLeadElsewhere) {
  EXPECT_EQ(folderOf("org/model-1.5"), "org/model-1.5");
  EXPECT_EQ(folderOf("../../etc/x y"), "-./-./etc/x-y");
  EXPECT_EQ(folderOf("/"), "model");
}

} // namespace
