//===- ResultTest.cpp - What diagnostics say about a candidate ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Result.h"
#include "gtest/gtest.h"

using namespace belay::bench;
using belay::support::DiagId;

namespace {

Result passing() {
  Result R;
  R.Compiled = R.Correct = R.Safe = true;
  R.Cycles = R.AnswerCycles = 100;
  return R;
}

Verdict verdictAfter(DiagId Id) {
  Result R = passing();
  R.charge(faultOf(Id));
  R.Problems.push_back({Stage::Run, "", {Id, {}, "", {}}});
  EXPECT_EQ(R.score() > 0, R.verdict() == Verdict::Passed);
  return R.verdict();
}

TEST(Result, ChargesForWhatWasFound) {
  EXPECT_EQ(passing().verdict(), Verdict::Passed);
  EXPECT_EQ(verdictAfter(DiagId::FlagRunAhead), Verdict::Passed); // a warning
  EXPECT_EQ(verdictAfter(DiagId::MissingSync), Verdict::Unsafe);
  EXPECT_EQ(verdictAfter(DiagId::TensorLeak), Verdict::Unsafe);
  EXPECT_EQ(verdictAfter(DiagId::ValueMismatch), Verdict::Wrong);
  EXPECT_EQ(verdictAfter(DiagId::KernelTimeout), Verdict::Stopped);
}

TEST(Result, TellsCompilersFromSafety) {
  for (DiagId Id :
       {DiagId::CompileError, DiagId::BadEntry, DiagId::UnsupportedApi,
        DiagId::UnsupportedDtype, DiagId::ArgumentMismatch})
    EXPECT_EQ(verdictAfter(Id), Verdict::NotCompiled) << unsigned(Id);
}

TEST(Result, RefusingALaunchIsAWrongAnswer) {
  for (DiagId Id :
       {DiagId::ExpectsNotMet, DiagId::BadExtent, DiagId::BadBlockCount})
    EXPECT_EQ(verdictAfter(Id), Verdict::Wrong) << unsigned(Id);
}

TEST(Result, TrapsEndAKernel) {
  for (DiagId Id :
       {DiagId::GuardFailed, DiagId::KernelAssert, DiagId::KernelTrap})
    EXPECT_EQ(verdictAfter(Id), Verdict::Stopped) << unsigned(Id);
}

TEST(Result, WhatWeDoNotKnowIsNotCharged) {
  for (DiagId Id :
       {DiagId::BelayFailed, DiagId::NoSandbox, DiagId::TimeUnknown})
    EXPECT_EQ(verdictAfter(Id), Verdict::Unjudged) << unsigned(Id);
}

} // namespace
