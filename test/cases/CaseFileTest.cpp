//===- CaseFileTest.cpp - Cases in JSON -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/CaseFile.h"
#include "../Testing.h"

using namespace belay::cases;
using namespace belay::testing;

TEST(CaseFile, CasesInheritAndReplace) {
  auto Cases = valueOf(parseCases(R"({
    "source": "add.cpp", "kernel": "add", "soc": "Ascend310P3", "blocks": 8,
    "tiling": {"n": 16, "m": {"k": 1}}, "defines": ["A=1"],
    "includes": ["inc", "/abs"], "workspace": "1M", "timeLimit": 2.5,
    "cases": [
      {"name": "small",
       "args": [{"in": "f16:16=normal:1"}, {"in": "x.npy"},
                {"out": "f16:16=z.npy", "expect": "ref/z.npy", "rtol": 0.5},
                {"scalar": "i32=4"}]},
      {"blocks": 1, "tiling": {"n": 32}, "task": "mix12", "tilingKey": 7}
    ]})",
                                  "dir"));
  ASSERT_EQ(Cases.size(), 2u);
  const Case &Small = Cases[0];
  EXPECT_EQ(Small.Name, "small");
  EXPECT_EQ(Small.Source, "dir/add.cpp");
  EXPECT_EQ(Small.Blocks, 8u);
  EXPECT_EQ(Small.IncludeDirs, (std::vector<std::string>{"dir/inc", "/abs"}));
  EXPECT_EQ(Small.WorkspaceBytes, 1u << 20);
  EXPECT_EQ(Small.TimeLimitSeconds, 2.5);
  ASSERT_EQ(Small.Args.size(), 4u);
  EXPECT_EQ(Small.Args[0].Source, "normal:1");
  EXPECT_EQ(Small.Args[1].Source, "dir/x.npy");
  EXPECT_EQ(Small.Args[2].Output, "dir/z.npy");
  EXPECT_EQ(Small.Args[2].Expect->Path, "dir/ref/z.npy");
  EXPECT_EQ(Small.Args[2].Expect->Rtol, 0.5);
  const Case &Second = Cases[1];
  EXPECT_EQ(Second.Name, "1");
  EXPECT_EQ(Second.Blocks, 1u);
  EXPECT_EQ(Second.TilingKey, 7u);
  EXPECT_EQ(Second.Task, belay::sim::TaskKind::Mix1To2);
  EXPECT_EQ(Second.Tiling.fieldNames(), (std::vector<std::string>{"m.k", "n"}));
  EXPECT_EQ(Second.Tiling.Values[1].Values[0], "32");
}

TEST(CaseFile, OneCaseNeedsNoList) {
  auto Cases = valueOf(parseCases(R"({"source": "/k.cpp"})", ""));
  ASSERT_EQ(Cases.size(), 1u);
  EXPECT_EQ(Cases[0].Source, "/k.cpp");
}

TEST(CaseFile, MistakesAreNamed) {
  auto Message = [](const char *Text) {
    return messageOf(parseCases(Text, ""));
  };
  EXPECT_TRUE(
      contains(Message(R"({"blcoks": 1})"), "did you mean \"blocks\"?"));
  EXPECT_TRUE(contains(Message(R"({"blocks": -1})"), "\"blocks\""));
  EXPECT_TRUE(contains(Message(R"({"blocks": "8"})"), "whole number"));
  EXPECT_TRUE(
      contains(Message(R"({"args": [{"in": "f16:8"}]})"), "argument 0"));
  EXPECT_TRUE(contains(Message(R"({"args": [{"in": "f16:8=ones",
                                             "out": "f16:8"}]})"),
                       "only one"));
  EXPECT_TRUE(
      contains(Message(R"({"args": [{"in": "f16:8=ones", "expect": "x"}]})"),
               "only outputs"));
  EXPECT_TRUE(
      contains(Message(R"({"cases": [{"name": "a"}, {"name": "a"}]})"), "two"));
  EXPECT_NE(Message(R"({"cases": []})"), "");
  EXPECT_NE(Message(R"({"cases": [{"cases": []}]})"), "");
  EXPECT_NE(Message("[]"), "");
  EXPECT_NE(Message("{"), "");
  EXPECT_NE(Message(R"({"tiling": {"a;b": 1}})"), "");
}
