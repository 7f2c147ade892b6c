//===- TilingTest.cpp - Tiling by name ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Tiling.h"
#include "../Testing.h"

#include "llvm/Support/JSON.h"

using namespace belay::cases;
using namespace belay::testing;

static std::string names(const TilingSpec &Spec) {
  std::string Text;
  for (const TilingValue &Value : Spec.Values) {
    Text += Value.Field + "=";
    for (const std::string &Each : Value.Values)
      Text += Each + ";";
  }
  return Text;
}

TEST(Tiling, FieldsAreParsedAndSorted) {
  TilingSpec Spec;
  ASSERT_EQ(messageOf(Spec.parse("b=2,a=-1,dims=[4, 8],c.d[1]=0x10")), "");
  EXPECT_EQ(names(Spec), "a=-1;b=2;c.d[1]=0x10;dims=4;8;");
  ASSERT_EQ(messageOf(Spec.parse("b=3")), "");
  EXPECT_EQ(names(Spec), "a=-1;b=3;c.d[1]=0x10;dims=4;8;");
}

TEST(Tiling, JsonIsFlattened) {
  TilingSpec Spec;
  auto Json = valueOf(llvm::json::parse(
      R"({"n": 7, "cube": {"m": 1, "scale": 0.1}, "on": true,
          "dims": [1, 2], "parts": [{"x": 1}, {"x": 2}],
          "big": 18446744073709551615})"));
  ASSERT_EQ(messageOf(Spec.parseObject(Json)), "");
  EXPECT_EQ(names(Spec),
            "big=18446744073709551615;cube.m=1;cube.scale=0.10000000000000001;"
            "dims=1;2;n=7;on=1;parts[0].x=1;parts[1].x=2;");
}

TEST(Tiling, NamesCannotSmuggleCode) {
  for (const char *Text :
       {"a);system(\"x\")=1", "=1", "a b=1", "1a=1", "a.=1", ".a=1", "a[]=1",
        "a[x]=1", "a[1=1", "a=[1", "a=[1]b=2", "nothing", "a\nb=1", "a..b=1"}) {
    TilingSpec Spec;
    EXPECT_NE(messageOf(Spec.parse(Text)), "") << Text;
  }
}
