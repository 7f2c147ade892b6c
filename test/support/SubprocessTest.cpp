//===- SubprocessTest.cpp - Children that misbehave -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Subprocess.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace belay::support;
using namespace std::chrono_literals;
using Status = ProcessResult::Status;

static ProcessSpec shell(std::string Script) {
  ProcessSpec Spec;
  Spec.Args = {"/bin/sh", "-c", std::move(Script)};
  return Spec;
}

TEST(Subprocess, CapturesOutputAndStatus) {
  ProcessResult R = runProcess(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(R.How, Status::Exited);
  EXPECT_EQ(R.Code, 3);
  EXPECT_EQ(R.Out, "out\n");
  EXPECT_EQ(R.Err, "err\n");
  EXPECT_EQ(R.describe(), "exit status 3");
  EXPECT_GT(R.PeakBytes, 0u);
}

TEST(Subprocess, PassesArgumentsWithoutAShell) {
  ProcessSpec Spec;
  Spec.Args = {"printf", "%s|", "a b", "$HOME", "*"};
  EXPECT_EQ(runProcess(Spec).Out, "a b|$HOME|*|");
}

TEST(Subprocess, SaysWhyAProgramCannotStart) {
  ProcessSpec Spec;
  EXPECT_EQ(runProcess(Spec).How, Status::NotRun);
  Spec.Args = {"no-such-program-here"};
  EXPECT_EQ(runProcess(Spec).describe(),
            "cannot find program 'no-such-program-here'");
  Spec = shell("true");
  Spec.WorkingDir = "/no/such/folder";
  EXPECT_EQ(runProcess(Spec).describe(),
            "cannot start '/bin/sh': chdir: No such file or directory");
}

TEST(Subprocess, ReportsSignals) {
  ProcessResult R = runProcess(shell("kill -SEGV $$"));
  EXPECT_EQ(R.How, Status::Signaled);
  EXPECT_EQ(R.Code, SIGSEGV);
  EXPECT_EQ(R.describe(), "signal 11 (Segmentation fault)");
}

TEST(Subprocess, EndsLoopsAndTheirChildren) {
  // The grandchild would hold the pipe open for a minute.
  ProcessSpec Spec = shell("sleep 60 & echo started; while :; do :; done");
  Spec.Timeout = 200ms;
  ProcessResult R = runProcess(Spec);
  EXPECT_EQ(R.How, Status::TimedOut);
  EXPECT_EQ(R.Out, "started\n");
  EXPECT_LT(R.WallSeconds, 10);
}

TEST(Subprocess, DoesNotWaitForProcessesOfTheChild) {
  ProcessResult R = runProcess(shell("sleep 60 & exit 0"));
  EXPECT_TRUE(R.succeeded());
  EXPECT_LT(R.WallSeconds, 10);
}

TEST(Subprocess, GoesOnWhileAChildRuns) {
  RunningProcess Child(shell("read Word; echo got $Word"));
  EXPECT_EQ(Child.wait().Out, "got\n");
  // One that nobody waits for ends, with its own children.
  auto Start = std::chrono::steady_clock::now();
  {
    RunningProcess Endless(shell("sleep 100 & sleep 100"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - Start, 20s);
  ProcessSpec Nothing;
  Nothing.Args = {"/no/such/program"};
  EXPECT_EQ(RunningProcess(Nothing).wait().How, Status::NotRun);
}

TEST(Subprocess, LimitsOfWaitingCanComeLater) {
  RunningProcess Child(shell("sleep 100"));
  Child.spec().Timeout = 50ms;
  EXPECT_EQ(Child.wait().How, Status::TimedOut);
}

TEST(Subprocess, TakesNoLostStatusForASuccess) {
  auto *Before = ::signal(SIGCHLD, SIG_IGN);
  ProcessResult Result = runProcess(shell("exit 3"));
  EXPECT_EQ(Result.How, Status::NotRun);
  EXPECT_NE(Result.describe().find("SIGCHLD"), std::string::npos);
  ::signal(SIGCHLD, Before);
}

TEST(Subprocess, AsksBeforeItKills) {
  ProcessSpec Spec =
      shell("trap 'echo here; exit 1' USR1; echo up; while :; do :; done");
  Spec.Timeout = 300ms;
  Spec.Grace = 5s;
  Spec.OnTimeout = [](pid_t Pid) { ::kill(Pid, SIGUSR1); };
  ProcessResult R = runProcess(Spec);
  EXPECT_EQ(R.How, Status::TimedOut);
  EXPECT_EQ(R.Out, "up\nhere\n");
  EXPECT_LT(R.WallSeconds, 5);
}

TEST(Subprocess, CountsTheCpuTimeOfAllDescendants) {
  // Neither of them has a second when both have used it together.
  ProcessSpec Spec = shell("(while :; do :; done) & while :; do :; done");
  Spec.Timeout = 100s;
  Spec.CpuTime = 1s;
  ProcessResult R = runProcess(Spec);
  EXPECT_EQ(R.How, Status::TimedOut);
  EXPECT_FALSE(R.Starved);
  EXPECT_GE(R.CpuSeconds, 1);
  EXPECT_LT(R.UserSeconds + R.SystemSeconds, 1);

  // One that has ended counts, too.
  Spec = shell("(ulimit -t 1; while :; do :; done); sleep 100");
  Spec.Timeout = 100s;
  Spec.CpuTime = 500ms;
  R = runProcess(Spec);
  EXPECT_EQ(R.How, Status::TimedOut);
  EXPECT_FALSE(R.Starved);
}

TEST(Subprocess, TellsWaitingFromWorking) {
  for (const char *Idle : {"sleep 100", "kill -STOP $$"}) {
    ProcessSpec Spec = shell(Idle);
    Spec.Timeout = 500ms;
    Spec.CpuTime = 100s;
    ProcessResult R = runProcess(Spec);
    EXPECT_EQ(R.How, Status::TimedOut) << Idle;
    EXPECT_TRUE(R.Starved) << Idle;
  }
  // Without a limit of CPU time the clock on the wall decides.
  ProcessSpec Spec = shell("sleep 100");
  Spec.Timeout = 100ms;
  EXPECT_FALSE(runProcess(Spec).Starved);
}

TEST(Subprocess, LimitsMemoryCpuAndFiles) {
  // dd allocates its block; the shell itself needs little.
  ProcessSpec Spec = shell("dd if=/dev/zero of=/dev/null bs=128M count=1");
  Spec.AddressSpaceBytes = 128 << 20;
  EXPECT_FALSE(runProcess(Spec).succeeded());

  Spec = shell("while :; do :; done");
  Spec.CpuSeconds = 1;
  ProcessResult R = runProcess(Spec);
  EXPECT_EQ(R.How, Status::Signaled);
  EXPECT_EQ(R.Code, SIGXCPU);

  std::string Path = "/tmp/belay-subprocess-" + std::to_string(::getpid());
  Spec = shell("head -c 100000 /dev/zero > " + Path);
  Spec.FileBytes = 4096;
  EXPECT_FALSE(runProcess(Spec).succeeded());
  ::unlink(Path.c_str());
}

TEST(Subprocess, KeepsOnlyTheBeginningOfEndlessOutput) {
  ProcessSpec Spec = shell("head -c 1000000 /dev/zero");
  Spec.MaxCapturedBytes = 1000;
  ProcessResult R = runProcess(Spec);
  EXPECT_TRUE(R.succeeded());
  EXPECT_TRUE(R.Truncated);
  EXPECT_EQ(R.Out.size(), 1000u);
}

TEST(Subprocess, SetsTheEnvironment) {
  ::setenv("BELAY_TEST_A", "old", 1);
  ProcessSpec Spec = shell("echo $BELAY_TEST_A $BELAY_TEST_B");
  Spec.Env = {"BELAY_TEST_B=b"};
  EXPECT_EQ(runProcess(Spec).Out, "old b\n");
  Spec.Env = {"BELAY_TEST_A=new"};
  EXPECT_EQ(runProcess(Spec).Out, "new\n");
  Spec.ClearEnv = true;
  Spec.Env = {};
  EXPECT_EQ(runProcess(Spec).Out, "\n");
}

TEST(Subprocess, InheritsNamedDescriptorsOnly) {
  int Ends[2];
  ASSERT_EQ(::pipe(Ends), 0); // deliberately without CLOEXEC
  ASSERT_EQ(::write(Ends[1], "x\n", 2), 2);
  ProcessSpec Spec =
      shell("read line <&9; echo $line; ls /proc/self/fd | wc -l");
  Spec.Fds = {{Ends[0], 9}};
  // 0, 1, 2, 9, and the one that ls opens.
  EXPECT_EQ(runProcess(Spec).Out, "x\n5\n");

  // Two descriptors change places.
  ASSERT_EQ(::write(Ends[1], "y\n", 2), 2);
  int Null = ::open("/dev/null", O_RDONLY);
  Spec = shell("read line <&" + std::to_string(Null) + "; echo $line");
  Spec.Fds = {{Ends[0], Null}, {Null, Ends[0]}};
  EXPECT_EQ(runProcess(Spec).Out, "y\n");
  for (int Each : {Ends[0], Ends[1], Null})
    ::close(Each);
}

TEST(Subprocess, StandardInputIsEmpty) {
  ProcessSpec Spec;
  Spec.Args = {"cat"};
  EXPECT_TRUE(runProcess(Spec).succeeded());
}

TEST(Subprocess, BoundsPrivateMemory) {
  ProcessSpec Spec = shell("dd if=/dev/zero of=/dev/null bs=128M count=1");
  EXPECT_TRUE(runProcess(Spec).succeeded());
  Spec.DataBytes = 64 << 20;
  EXPECT_EQ(runProcess(Spec).How, Status::Exited);
  EXPECT_FALSE(runProcess(Spec).succeeded());
}

TEST(Subprocess, BoundsMemoryInUse) {
  ProcessSpec Spec =
      shell("exec dd if=/dev/zero of=/dev/null bs=128M count=100000");
  Spec.ResidentBytes = 64 << 20;
  Spec.Timeout = 20s;
  EXPECT_EQ(runProcess(Spec).How, Status::TooLarge);
}
