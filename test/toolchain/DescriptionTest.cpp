//===- DescriptionTest.cpp - What the runner prints -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "toolchain/Description.h"
#include "../Testing.h"
#include "support/Json.h"

using namespace belay::support;
using namespace belay::toolchain;
using namespace belay::testing;
using belay::sim::ParamKind;
using belay::sim::TaskKind;

TEST(Description, IsRead) {
  Description D = valueOf(Description::parse(
      R"({"name":"k","params":[{"kind":"pointer","bytes":8,"align":8},
          {"kind":"aggregate","bytes":48,"align":4}],
          "tiling":{"bytes":8,"fields":[{"name":"a","offset":4,
          "elementBytes":2,"count":2,"kind":"integer","signed":true}]},
          "tasks":[{"function":"k","key":null,"kind":"mix12"},
                   {"function":"k","key":7,"kind":"cube"}]})"));
  EXPECT_EQ(D.Name, "k");
  ASSERT_EQ(D.Params.size(), 2u);
  EXPECT_EQ(describe(D.Params[0]), "pointer");
  EXPECT_EQ(describe(D.Params[1]), "48-byte structure");
  ASSERT_EQ(D.Fields.size(), 1u);
  EXPECT_EQ(D.Fields[0].Offset, 4u);
  ASSERT_EQ(D.Tasks.size(), 2u);
  EXPECT_EQ(D.Tasks[0].Kind, TaskKind::Mix1To2);
  EXPECT_FALSE(D.Tasks[0].TilingKey);
  EXPECT_EQ(D.Tasks[1].TilingKey, 7u);
}

TEST(Description, FieldsLieInsideTheStructure) {
  auto Parse = [](const char *Field) {
    return messageOf(Description::parse(
        std::string(R"({"name":"k","tiling":{"bytes":8,"fields":[)") + Field +
        "]}}"));
  };
  EXPECT_NE(Parse(R"({"name":"a","offset":8,"elementBytes":1,"count":1,
                      "kind":"integer"})"),
            "");
  EXPECT_NE(Parse(R"({"name":"a","offset":0,"elementBytes":4,"count":3,
                      "kind":"integer"})"),
            "");
  EXPECT_NE(Parse(R"({"name":"a","offset":-1,"elementBytes":4,"count":1,
                      "kind":"integer"})"),
            "");
  EXPECT_NE(Parse(R"({"name":"a","offset":0,"elementBytes":4294967297,
                      "count":4294967295,"kind":"integer"})"),
            "");
}

TEST(Description, NonsenseIsRefused) {
  for (const char *Text :
       {"", "[]", "{}", "{\"name\":1}", "{\"name\":\"k\",\"params\":1}",
        "{\"name\":\"k\",\"params\":[1]}",
        "{\"name\":\"k\",\"params\":[{\"kind\":\"x\"}]}"})
    EXPECT_NE(messageOf(Description::parse(Text)), "") << Text;
}

TEST(Json, DepthIsBounded) {
  EXPECT_NE(messageOf(parseJson(std::string(1000000, '['))), "");
  EXPECT_EQ(messageOf(parseJson("{\"[[[\\\"[\": [1]}")), "");
}
