//===- FailureReportTest.cpp - How launches end ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simulator/driver/FailureReport.h"
#include "Testing.h"

#include <csignal>
#include <cstring>

using namespace belay;
using namespace belay::driver;
using belay::support::DiagId;
using How = belay::support::ProcessResult::Status;

namespace {

class FailureReport : public ::testing::Test {
protected:
  FailureReport() : Resolver("/no/such/object", "", "/own") {
    std::memset(&Outcome.Report, 0, sizeof Outcome.Report);
    TheCase.Source = "k.cpp";
    Outcome.Process.How = How::Exited;
  }
  std::optional<support::Diagnostic> explain() {
    return explainOutcome(Outcome, TheCase, Resolver);
  }
  void report(const char *Id, const char *Message, sim::Status State) {
    std::strcpy(Outcome.Report.FailureId, Id);
    std::strcpy(Outcome.Report.Message, Message);
    Outcome.Report.State = State;
  }

  Case TheCase;
  LaunchOutcome Outcome;
  FrameResolver Resolver;
};

} // namespace

TEST_F(FailureReport, NothingForSuccess) {
  Outcome.Report.State = sim::Status::Passed;
  EXPECT_FALSE(explain());
}

TEST_F(FailureReport, FindingsKeepTheirId) {
  Outcome.Process.Code = 1;
  report("gm-out-of-bounds", "too far", sim::Status::Failed);
  Outcome.Report.Where.Block = 3;
  std::strcpy(Outcome.Report.Hint, "go back");
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
  Outcome.Report.State = sim::Status::Running;
  EXPECT_EQ(explain()->Id, DiagId::KernelCrash); // exit(0) in the kernel
  Outcome.Process.How = How::Signaled;
  Outcome.Process.Code = SIGKILL;
  EXPECT_EQ(explain()->Id, DiagId::MemoryLimit);
  Outcome.Process.Code = SIGXCPU;
  EXPECT_EQ(explain()->Id, DiagId::KernelTimeout);
  Outcome.Process.How = How::TimedOut;
  EXPECT_EQ(explain()->Id, DiagId::KernelTimeout);
  Outcome.Process.How = How::TooLarge;
  EXPECT_EQ(explain()->Id, DiagId::MemoryLimit);
}

TEST_F(FailureReport, PassedIsNotBelievedWithoutTheExitStatus) {
  Outcome.Report.State = sim::Status::Passed;
  Outcome.Process.Code = 3;
  EXPECT_TRUE(explain());
}

TEST_F(FailureReport, ACrashAtTheLimitIsTheLimit) {
  report("kernel-crash", "touched 0", sim::Status::Crashed);
  EXPECT_EQ(explain()->Id, DiagId::KernelCrash);
  Outcome.Process.PeakBytes = TheCase.MemoryLimitBytes;
  EXPECT_EQ(explain()->Id, DiagId::MemoryLimit);
}

TEST_F(FailureReport, WaitingCoresAreGrouped) {
  report("kernel-timeout", "the kernel did not end", sim::Status::Failed);
  Outcome.Report.NumWaiting = 3;
  for (unsigned I = 0; I < 3; ++I) {
    Outcome.Report.Waiting[I].Block = I;
    std::strcpy(Outcome.Report.WaitingFor[I], I < 2 ? "SyncAll" : "flag 3");
  }
  auto Diag = explain();
  ASSERT_EQ(Diag->Notes.size(), 2u);
  EXPECT_EQ(Diag->Notes[0].Message,
            "the vector core of block 0 and 1 other: SyncAll");
  EXPECT_EQ(Diag->Notes[1].Message, "the vector core of block 2: flag 3");
}
