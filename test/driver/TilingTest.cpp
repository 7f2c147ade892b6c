//===- TilingTest.cpp - Tiling by name ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/driver/Tiling.h"
#include "Testing.h"

#include "llvm/Support/JSON.h"
#include <cstring>

using namespace belay::driver;
using namespace belay::driver::testing;
using belay::sim::ParamKind;

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

static Description description() {
  Description Kernel;
  Kernel.TilingBytes = 32;
  Kernel.Fields = {
      {"n", 0, 4, 1, ParamKind::Integer, false},
      {"dims", 4, 2, 2, ParamKind::Integer, true},
      {"scale", 8, 4, 1, ParamKind::Float, true},
      {"wide", 16, 8, 1, ParamKind::Integer, true},
      {"half", 24, 2, 1, ParamKind::Float, true},
  };
  return Kernel;
}

static llvm::Expected<std::string> encode(const char *Text) {
  TilingSpec Spec;
  EXPECT_EQ(messageOf(Spec.parse(Text)), "");
  return encodeTiling(Spec, description());
}

TEST(Tiling, IsEncodedByOffset) {
  std::string Bytes =
      valueOf(encode("n=4294967295,dims=[-1,2],scale=1.5,wide=-5,half=1"));
  ASSERT_EQ(Bytes.size(), 32u);
  uint32_t N;
  int16_t Dims[2];
  float Scale;
  int64_t Wide;
  uint16_t Narrow;
  std::memcpy(&N, Bytes.data(), 4);
  std::memcpy(Dims, Bytes.data() + 4, 4);
  std::memcpy(&Scale, Bytes.data() + 8, 4);
  std::memcpy(&Wide, Bytes.data() + 16, 8);
  std::memcpy(&Narrow, Bytes.data() + 24, 2);
  EXPECT_EQ(N, 4294967295u);
  EXPECT_EQ(Dims[0], -1);
  EXPECT_EQ(Dims[1], 2);
  EXPECT_EQ(Scale, 1.5f);
  EXPECT_EQ(Wide, -5);
  EXPECT_EQ(Narrow, 0x3c00);
}

TEST(Tiling, WhatDoesNotFitIsSaid) {
  EXPECT_TRUE(contains(messageOf(encode("n=4294967296")), "does not fit"));
  EXPECT_TRUE(contains(messageOf(encode("n=-1")), "non-negative"));
  EXPECT_TRUE(contains(messageOf(encode("dims=[1,32768]")), "'32768'"));
  EXPECT_TRUE(contains(messageOf(encode("dims=1")), "2 elements, but 1"));
  EXPECT_TRUE(contains(messageOf(encode("n=1.5")), "does not fit"));
  EXPECT_TRUE(contains(messageOf(encode("scale=x")), "4-byte float"));
  EXPECT_TRUE(contains(messageOf(encode("other=1")), "no field 'other'"));
}

TEST(Tiling, RawBytesHaveToReach) {
  TemporaryFolder Folder;
  ASSERT_FALSE(messageOf(encode("n=1")).size());
  TilingSpec Spec;
  ASSERT_EQ(messageOf(Spec.parse(Folder / "t.bin")), "");
  EXPECT_TRUE(
      contains(messageOf(encodeTiling(Spec, description())), "No such file"));
}
