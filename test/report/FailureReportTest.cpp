//===- FailureReportTest.cpp - How launches end ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FailureReport.h"
#include "../Testing.h"

#include <csignal>
#include <cstring>

using namespace belay;
using namespace belay::cases;
using namespace belay::report;
using belay::support::DiagId;
using How = belay::support::ProcessResult::Status;

namespace {

class FailureReport : public ::testing::Test {
protected:
  FailureReport() : Resolver("/no/such/object", "") {
    std::memset(&Report, 0, sizeof Report);
    TheCase.Source = "k.cpp";
    Process.How = How::Exited;
  }
  std::optional<support::Diagnostic> explain() {
    return explainOutcome(Process, Report, TheCase, Resolver);
  }
  void report(const char *Id, const char *Message, sim::Status State) {
    std::strcpy(Report.FailureId, Id);
    std::strcpy(Report.Message, Message);
    Report.State = State;
  }

  Case TheCase;
  support::ProcessResult Process;
  sim::Report Report = {};
  FrameResolver Resolver;
};

} // namespace

TEST_F(FailureReport, NothingForSuccess) {
  Report.State = sim::Status::Passed;
  EXPECT_FALSE(explain());
}

TEST_F(FailureReport, WhatIsOfNoCoreNamesNone) {
  Process.Code = 1;
  report("gm-out-of-bounds", "written past the end", sim::Status::Failed);
  auto Diag = explain();
  ASSERT_TRUE(Diag);
  EXPECT_TRUE(Diag->Notes.empty());
}

TEST_F(FailureReport, FindingsKeepTheirId) {
  Process.Code = 1;
  report("gm-out-of-bounds", "too far", sim::Status::Failed);
  Report.Where.OnCore = true;
  Report.Where.Block = 3;
  std::strcpy(Report.Hint, "go back");
  auto Diag = explain();
  ASSERT_TRUE(Diag);
  EXPECT_EQ(Diag->Id, DiagId::GmOutOfBounds);
  EXPECT_EQ(Diag->Where.File, "k.cpp");
  ASSERT_EQ(Diag->Notes.size(), 1u);
  EXPECT_EQ(Diag->Notes[0].Message, "on the vector core of block 3");
  EXPECT_EQ(Diag->Help, "go back");
}

TEST_F(FailureReport, UnknownIdsAreShown) {
  report("brand-new", "what", sim::Status::Failed);
  EXPECT_EQ(explain()->Message, "what (brand-new)");
}

TEST_F(FailureReport, ChildrenThatLeaveInSilence) {
  Report.State = sim::Status::Running;
  EXPECT_EQ(explain()->Id, DiagId::KernelCrash); // exit(0) in the kernel
  Process.How = How::Signaled;
  Process.Code = SIGXCPU;
  EXPECT_EQ(explain()->Id, DiagId::KernelTimeout);
  Process.How = How::TimedOut;
  EXPECT_EQ(explain()->Id, DiagId::KernelTimeout);
  Process.How = How::TooLarge;
  EXPECT_EQ(explain()->Id, DiagId::MemoryLimit);
}

TEST_F(FailureReport, WhoKillsALaunchIsNotTheKernel) {
  Report.State = sim::Status::Running;
  Process.How = How::Signaled;
  Process.Code = SIGKILL;
  EXPECT_EQ(explain()->Id, DiagId::BelayFailed);
  Process.PeakBytes = TheCase.MemoryLimitBytes;
  EXPECT_EQ(explain()->Id, DiagId::MemoryLimit);
}

TEST_F(FailureReport, WithoutASandboxNothingElseIsSaid) {
  report("belay-failed", "no kernel came", sim::Status::Failed);
  EXPECT_EQ(explain()->Id, DiagId::BelayFailed);
  Process.How = How::NotConfined;
  EXPECT_EQ(explain()->Id, DiagId::NoSandbox);
}

TEST_F(FailureReport, PassedIsNotBelievedWithoutTheExitStatus) {
  Report.State = sim::Status::Passed;
  Process.Code = 3;
  EXPECT_TRUE(explain());
}

TEST_F(FailureReport, ACrashAtTheLimitIsTheLimit) {
  report("kernel-crash", "touched 0", sim::Status::Crashed);
  EXPECT_EQ(explain()->Id, DiagId::KernelCrash);
  Process.PeakBytes = TheCase.MemoryLimitBytes;
  EXPECT_EQ(explain()->Id, DiagId::MemoryLimit);
}

TEST_F(FailureReport, WaitingCoresAreGrouped) {
  report("kernel-timeout", "the kernel did not end", sim::Status::Failed);
  Report.NumWaiting = 3;
  for (unsigned I = 0; I < 3; ++I) {
    Report.Waiting[I].Block = I;
    std::strcpy(Report.WaitingFor[I], I < 2 ? "SyncAll" : "flag 3");
  }
  auto Diag = explain();
  ASSERT_EQ(Diag->Notes.size(), 2u);
  EXPECT_EQ(Diag->Notes[0].Message,
            "the vector core of block 0 and 1 other: SyncAll");
  EXPECT_EQ(Diag->Notes[1].Message, "the vector core of block 2: flag 3");
}
