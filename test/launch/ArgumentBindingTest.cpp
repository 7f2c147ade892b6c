//===- ArgumentBindingTest.cpp - Which argument goes where ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/ArgumentBinding.h"
#include "../Testing.h"
#include "support/DiagnosticError.h"

using namespace belay::cases;
using namespace belay::launch;
using namespace belay::support;
using namespace belay::toolchain;
using namespace belay::testing;
using belay::sim::ParamKind;
using Role = ArgSpec::Role;

static const DescribedParam Pointer = {ParamKind::Pointer, 8, 8};
static const DescribedParam Int = {ParamKind::Integer, 4, 4};
static const DescribedParam Struct = {ParamKind::Aggregate, 16, 8};

/// "P0 P1 W T" for two arguments, workspace and tiling; the message of the
/// error otherwise.
static std::string bind(std::vector<DescribedParam> Params, const Case &Case,
                        std::vector<std::string> Names = {}) {
  Description Kernel;
  Kernel.Name = "k";
  Kernel.Params = std::move(Params);
  ScannedKernel Scanned;
  Scanned.Params = std::move(Names);
  auto Bindings = bindArguments(Case, Kernel, Scanned);
  if (!Bindings)
    return llvm::toString(Bindings.takeError());
  std::string Text;
  for (const Binding &Each : *Bindings) {
    Text += Text.empty() ? "" : " ";
    switch (Each.From) {
    case Binding::Source::Positional:
      Text += "P" + std::to_string(Each.Index);
      break;
    case Binding::Source::Workspace:
      Text += "W";
      break;
    case Binding::Source::Tiling:
      Text += "T";
      break;
    }
  }
  return Text;
}

static Case withArgs(unsigned NumIn, bool Tiling) {
  Case C;
  for (unsigned I = 0; I < NumIn; ++I)
    C.Args.push_back(valueOf(parseArg(Role::In, "f16:8=ones")));
  if (Tiling)
    C.Tiling.Values.push_back({"n", {"1"}});
  return C;
}

TEST(ArgumentBinding, FollowsTheConvention) {
  EXPECT_EQ(bind({Pointer, Pointer}, withArgs(2, false)), "P0 P1");
  EXPECT_EQ(bind({Pointer, Pointer, Pointer}, withArgs(1, true)), "P0 W T");
  EXPECT_EQ(bind({Pointer, Pointer, Pointer}, withArgs(1, false)), "P0 W T");
  EXPECT_EQ(bind({Pointer, Pointer}, withArgs(1, true)), "P0 T");
  EXPECT_EQ(bind({Pointer, Pointer}, withArgs(1, false)), "P0 W");
  EXPECT_EQ(bind({Pointer, Struct}, withArgs(1, true)), "P0 T");
  EXPECT_EQ(bind({Pointer, Pointer, Struct}, withArgs(1, true)), "P0 W T");
}

TEST(ArgumentBinding, AForgottenOutputIsNoWorkspace) {
  EXPECT_EQ(
      bind({Pointer, Pointer}, withArgs(1, false), {"GM_ADDR x", "GM_ADDR z"}),
      "kernel 'k' takes 2 arguments, but 1 is given");
  EXPECT_EQ(bind({Pointer, Pointer}, withArgs(1, false),
                 {"GM_ADDR x", "GM_ADDR usrWorkspace"}),
            "P0 W");
  Case Explicit = withArgs(1, false);
  Explicit.WorkspaceBytes = 1024;
  EXPECT_EQ(bind({Pointer, Pointer}, Explicit, {"GM_ADDR x", "GM_ADDR z"}),
            "P0 W");
}

TEST(ArgumentBinding, MismatchesAreSaid) {
  EXPECT_TRUE(
      contains(bind({Pointer}, withArgs(2, false)), "takes 1 argument"));
  EXPECT_TRUE(
      contains(bind({Pointer, Pointer, Pointer, Pointer}, withArgs(1, false)),
               "takes 4 arguments"));
  EXPECT_TRUE(
      contains(bind({Pointer}, withArgs(1, true)), "left for the tiling"));
  EXPECT_TRUE(contains(bind({Int}, withArgs(1, false)), "4-byte integer"));
  EXPECT_TRUE(
      contains(bind({Pointer, Struct}, withArgs(1, false)), "by value"));
}

TEST(ArgumentBinding, ScalarsAgreeInSizeAndKind) {
  auto Scalar = [](const char *Text) {
    Case C;
    C.Args.push_back(valueOf(parseArg(Role::Scalar, Text)));
    return C;
  };
  EXPECT_EQ(bind({Int}, Scalar("i32=5")), "P0");
  EXPECT_EQ(bind({Int}, Scalar("u32=5")), "P0");
  EXPECT_NE(bind({Int}, Scalar("i64=5")), "P0");
  EXPECT_NE(bind({Int}, Scalar("f32=5")), "P0");
  EXPECT_NE(bind({Pointer}, Scalar("i64=5")), "P0");
  EXPECT_EQ(bind({{ParamKind::Float, 2, 2}}, Scalar("f16=1")), "P0");
}

TEST(ArgumentBinding, ScalarsAreEncoded) {
  auto Encode = [](const char *Text) {
    return encodeScalar(valueOf(parseArg(Role::Scalar, Text)));
  };
  EXPECT_EQ(Encode("i16=-2"), std::string("\xfe\xff", 2));
  EXPECT_EQ(Encode("u8=0xff"), "\xff");
  EXPECT_EQ(Encode("f16=1"), std::string("\0\x3c", 2));
  EXPECT_EQ(Encode("bf16=1"), std::string("\x80\x3f", 2));
  EXPECT_EQ(Encode("bool=true"), "\1");
  EXPECT_EQ(Encode("f32=1"), std::string("\0\0\x80\x3f", 4));
}

TEST(DiagnosticError, StatusFollowsTheId) {
  EXPECT_EQ(exitStatusOf(DiagId::GmOutOfBounds), ExitStatus::Found);
  EXPECT_EQ(exitStatusOf(DiagId::ArgumentMismatch), ExitStatus::BadCase);
  EXPECT_EQ(exitStatusOf(DiagId::CompileError), ExitStatus::NotCompiled);
  EXPECT_EQ(exitStatusOf(DiagId::KernelTimeout), ExitStatus::Stopped);
  EXPECT_EQ(toDiagnostic(llvm::createStringError("x")).Id, DiagId::BadCase);
}
