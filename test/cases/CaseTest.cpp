//===- CaseTest.cpp - Arguments of the command line -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cases/Case.h"
#include "../Testing.h"

using namespace belay::cases;
using namespace belay::support;
using namespace belay::testing;
using Role = ArgSpec::Role;

TEST(Case, Inputs) {
  ArgSpec Arg = valueOf(parseArg(Role::In, "f16:4x8=normal:1:0:2"));
  EXPECT_EQ(Arg.Tensor->str(), "f16:4x8");
  EXPECT_EQ(Arg.Source, "normal:1:0:2");
  Arg = valueOf(parseArg(Role::In, "dir/x.npy"));
  EXPECT_FALSE(Arg.Tensor);
  EXPECT_EQ(Arg.Source, "dir/x.npy");
  Arg = valueOf(parseArg(Role::In, "a=b:c/x.npy"));
  EXPECT_EQ(Arg.Source, "a=b:c/x.npy");
  Arg = valueOf(parseArg(Role::In, "bf16:8=x.npy"));
  EXPECT_EQ(Arg.Tensor->Type, DataType::BF16);
  for (const char *Text : {"", "f16:8", "f16:8=", "f16:8=none", "x.bin",
                           "normal:1", "i8:4=value:300", "f16:8=x.txt"})
    EXPECT_NE(messageOf(parseArg(Role::In, Text)), "") << Text;
}

TEST(Case, Outputs) {
  ArgSpec Arg = valueOf(parseArg(Role::Out, "f32:8=z.npy"));
  EXPECT_EQ(Arg.Output, "z.npy");
  EXPECT_EQ(valueOf(parseArg(Role::Out, "f32:8")).Output, "");
  for (const char *Text : {"", "z.npy", "f32:8=z.txt", "f32"})
    EXPECT_NE(messageOf(parseArg(Role::Out, Text)), "") << Text;
}

TEST(Case, InOuts) {
  ArgSpec Arg = valueOf(parseArg(Role::InOut, "f32:8=ones@z.npy"));
  EXPECT_EQ(Arg.Source, "ones");
  EXPECT_EQ(Arg.Output, "z.npy");
  Arg = valueOf(parseArg(Role::InOut, "x.npy@z.npy"));
  EXPECT_EQ(Arg.Source, "x.npy");
  Arg = valueOf(parseArg(Role::InOut, "f32:8=ones"));
  EXPECT_EQ(Arg.Output, "");
}

TEST(Case, Scalars) {
  EXPECT_EQ(valueOf(parseArg(Role::Scalar, "i32=-5")).Source, "-5");
  EXPECT_EQ(valueOf(parseArg(Role::Scalar, "f32=1e-3")).Source, "1e-3");
  for (const char *Text : {"", "5", "i32", "i32=", "i32=x", "i8=128", "u8=-1",
                           "u8=256", "i32=1.5", "bool=2", "i8=-129"})
    EXPECT_NE(messageOf(parseArg(Role::Scalar, Text)), "") << Text;
}

TEST(Case, Expectations) {
  Case C;
  C.Args = {valueOf(parseArg(Role::In, "f32:8=ones")),
            valueOf(parseArg(Role::Out, "f32:8")),
            valueOf(parseArg(Role::InOut, "f32:8=ones"))};
  ASSERT_EQ(messageOf(attachExpectation(C, "1=b.npy", 0.5, {})), "");
  ASSERT_EQ(messageOf(attachExpectation(C, "a.npy", {}, {})), "");
  EXPECT_EQ(C.Args[1].Expect->Path, "a.npy");
  EXPECT_EQ(C.Args[2].Expect->Path, "b.npy");
  EXPECT_EQ(C.Args[2].Expect->Rtol, 0.5);
  EXPECT_NE(messageOf(attachExpectation(C, "c.npy", {}, {})), "");
  EXPECT_NE(messageOf(attachExpectation(C, "7=c.npy", {}, {})), "");
}

TEST(Case, Validation) {
  Case Good;
  Good.Source = "k.cpp";
  EXPECT_EQ(messageOf(validate(Good)), "");
  auto Broken = [&](auto &&Change) {
    Case Bad = Good;
    Change(Bad);
    return messageOf(validate(Bad));
  };
  EXPECT_NE(Broken([](Case &C) { C.Source = ""; }), "");
  EXPECT_NE(Broken([](Case &C) { C.Source = "a\"b.cpp"; }), "");
  EXPECT_NE(Broken([](Case &C) { C.Source = "a\nb.cpp"; }), "");
  EXPECT_NE(Broken([](Case &C) { C.Kernel = "k);x("; }), "");
  EXPECT_NE(Broken([](Case &C) { C.Tiling.Struct = "T;"; }), "");
  EXPECT_NE(Broken([](Case &C) { C.Blocks = 0; }), "");
  EXPECT_NE(Broken([](Case &C) { C.TimeLimitSeconds = 0; }), "");
  EXPECT_NE(Broken([](Case &C) { C.Defines = {"=1"}; }), "");
  EXPECT_TRUE(
      contains(Broken([](Case &C) { C.Soc = "Ascend910B33"; }), "unknown SoC"));
  EXPECT_EQ(Broken([](Case &C) { C.Kernel = "ns::k<half, 2>"; }), "");
}
