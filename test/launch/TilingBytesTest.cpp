//===- TilingBytesTest.cpp - Tiling as the kernel reads it ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/TilingBytes.h"
#include "../Testing.h"

#include <cstring>

using namespace belay::cases;
using namespace belay::launch;
using namespace belay::testing;
using namespace belay::toolchain;
using belay::sim::ParamKind;

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

TEST(TilingBytes, AreEncodedByOffset) {
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

TEST(TilingBytes, WhatDoesNotFitIsSaid) {
  EXPECT_TRUE(contains(messageOf(encode("n=4294967296")), "does not fit"));
  EXPECT_TRUE(contains(messageOf(encode("n=-1")), "non-negative"));
  EXPECT_TRUE(contains(messageOf(encode("dims=[1,32768]")), "'32768'"));
  EXPECT_TRUE(contains(messageOf(encode("dims=1")), "2 elements, but 1"));
  EXPECT_TRUE(contains(messageOf(encode("n=1.5")), "does not fit"));
  EXPECT_TRUE(contains(messageOf(encode("scale=x")), "4-byte float"));
  EXPECT_TRUE(contains(messageOf(encode("other=1")), "no field 'other'"));
}

TEST(TilingBytes, RawBytesHaveToReach) {
  TemporaryFolder Folder;
  ASSERT_FALSE(messageOf(encode("n=1")).size());
  TilingSpec Spec;
  ASSERT_EQ(messageOf(Spec.parse(Folder / "t.bin")), "");
  EXPECT_TRUE(
      contains(messageOf(encodeTiling(Spec, description())), "No such file"));
}
