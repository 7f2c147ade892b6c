//===- Runner.cpp - The process that runs a device's kernels --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "device/core/Runner.h"

#include "abi/MachineOf.h"
#include "device/core/LaunchConditions.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace belay::device {

namespace {

constexpr int FirstFd = 3;
/// Address spaces are random; the place of the memory may be taken.
constexpr int Attempts = 16;
constexpr int GraceMilliseconds = 1000;
/// How often a task that waits looks whether it is stopped.
constexpr std::chrono::milliseconds Often(20);

/// Starts a program with descriptors 3, 4, ... and nothing else inherited but
/// the standard streams. StdoutFd replaces stdout if it is not -1.
pid_t spawn(std::vector<std::string> Args, const std::vector<int> &Fds,
            int StdoutFd = -1) {
  std::vector<char *> Argv;
  for (std::string &Arg : Args)
    Argv.push_back(Arg.data());
  Argv.push_back(nullptr);
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  if (StdoutFd >= 0)
    posix_spawn_file_actions_adddup2(&Actions, StdoutFd, STDOUT_FILENO);
  // First out of the way of the final numbers.
  int Spare = FirstFd + static_cast<int>(Fds.size());
  for (int Fd : Fds)
    Spare = std::max(Spare, Fd + 1);
  for (size_t N = 0; N < Fds.size(); ++N)
    posix_spawn_file_actions_adddup2(&Actions, Fds[N],
                                     Spare + static_cast<int>(N));
  for (size_t N = 0; N < Fds.size(); ++N)
    posix_spawn_file_actions_adddup2(&Actions, Spare + static_cast<int>(N),
                                     FirstFd + static_cast<int>(N));
  posix_spawn_file_actions_addclosefrom_np(
      &Actions, FirstFd + static_cast<int>(Fds.size()));
  // Sanitizers of the host program are not the kernel's business.
  std::vector<char *> Env;
  for (char **E = environ; *E; ++E)
    if (std::strncmp(*E, "LD_PRELOAD=", 11) != 0)
      Env.push_back(*E);
  Env.push_back(nullptr);
  pid_t Child = -1;
  if (posix_spawn(&Child, Argv[0], &Actions, nullptr, Argv.data(),
                  Env.data()) != 0)
    Child = -1;
  posix_spawn_file_actions_destroy(&Actions);
  return Child;
}

template <size_t N> void copyText(char (&To)[N], const std::string &From) {
  std::snprintf(To, N, "%s", From.c_str());
}

} // namespace

RunnerLink::~RunnerLink() { end(); }

void RunnerLink::end() {
  if (Socket >= 0)
    close(std::exchange(Socket, -1));
  if (Child > 0) {
    kill(Child, SIGKILL);
    waitpid(std::exchange(Child, -1), nullptr, 0);
  }
}

bool RunnerLink::start(std::string &Why) {
  if (!Shared) {
    ChannelFd = memfd_create("belay-channel", MFD_CLOEXEC);
    if (ChannelFd < 0 || ftruncate(ChannelFd, sizeof(sim::Channel)) != 0)
      return Why = "no memory for the channel", false;
    void *Map = mmap(nullptr, sizeof(sim::Channel), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_NORESERVE, ChannelFd, 0);
    if (Map == MAP_FAILED)
      return Why = "no addresses for the channel", false;
    Shared = static_cast<sim::Channel *>(Map);
    Shared->Version = sim::ServeVersion;
    Shared->MemoryBase = Memory.base();
    Shared->MemoryBytes = Memory.size();
    Shared->HostPid = getpid();
    sim::Plan &Ask = Shared->Run.Ask;
    Ask.Magic = sim::LaunchMagic;
    Ask.Version = sim::LaunchVersion;
    Ask.Target = sim::machineOf(*Kind.Soc);
    Ask.Check = Kind.Check;
    Ask.CompilerSync = true;
  }
  std::string Program = configuration().libexec("belay-runner");
  for (int Attempt = 0; Attempt < Attempts; ++Attempt) {
    int Pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Pair) != 0)
      return Why = "no socket", false;
    Child = spawn({Program, "--serve", "3", "4", "5"},
                  {Pair[1], ChannelFd, Memory.fd()});
    close(Pair[1]);
    Socket = Pair[0];
    if (Child < 0) {
      end();
      return Why = Program + " cannot be started", false;
    }
    if (await() == Reply::Answered)
      return true;
    close(std::exchange(Socket, -1));
    int Status = 0;
    waitpid(std::exchange(Child, -1), &Status, 0);
    if (!WIFEXITED(Status) || WEXITSTATUS(Status) != sim::ExitPlaceTaken)
      break;
  }
  return Why = Program + " does not start", false;
}

RunnerLink::Reply RunnerLink::await() {
  using Clock = std::chrono::steady_clock;
  auto Limit = std::chrono::duration<double>(
      std::min(configuration().TimeLimitSeconds, 2e6));
  auto Until =
      Clock::now() + std::chrono::ceil<std::chrono::milliseconds>(Limit);
  pollfd Poll = {Socket, POLLIN, 0};
  int Ready = 0;
  while (Ready == 0) {
    auto Left =
        std::chrono::ceil<std::chrono::milliseconds>(Until - Clock::now());
    if (Left.count() <= 0)
      return Reply::Late;
    if (taskIsStopped())
      return Reply::Unwanted;
    Ready = poll(&Poll, 1,
                 static_cast<int>(std::min<int64_t>(
                     Left.count(), static_cast<int64_t>(Often.count()))));
  }
  char Byte;
  return Ready == 1 && read(Socket, &Byte, 1) == 1 ? Reply::Answered
                                                   : Reply::Gone;
}

void RunnerLink::fill(const LaunchRequest &R) {
  Memory.publish(*Shared, Seen);
  sim::Plan &Ask = Shared->Run.Ask;
  Ask.NumBlocks = R.NumBlocks;
  Ask.SaturateFloats = R.SaturateFloats;
  Ask.WatchOverflow = R.WatchOverflow;
  sim::Report &Answer = Shared->Run.Answer;
  Answer.Overflowed = false;
  Answer.State = sim::Status::NotStarted;
  Answer.FailureId[0] = Answer.Message[0] = Answer.Hint[0] = '\0';
  Answer.OtherRole[0] = '\0';
  Answer.Signal = 0;
  Answer.Where = Answer.Other = {};
  Answer.NumWaiting = Answer.NumFindings = Answer.FindingsLost = 0;
  Answer.BlocksDone = 0;
  sim::ServedCall &Call = Shared->Call;
  copyText(Call.ObjectPath, R.What->ObjectPath);
  copyText(Call.CubeObjectPath, R.What->CubeObjectPath);
  Call.NumArgs = static_cast<uint32_t>(R.Args.size());
  std::copy(R.Args.begin(), R.Args.end(), Call.Args);
  Call.NumPlaceholders = static_cast<uint32_t>(R.Placeholders.size());
  std::copy(R.Placeholders.begin(), R.Placeholders.end(), Call.Placeholders);
  Call.BlobBytes = static_cast<uint32_t>(R.Blob.size());
  std::copy(R.Blob.begin(), R.Blob.end(), Call.Blob);
}

/// Lets belay-report say it in terms of the kernel's source.
static std::string describeReport(const sim::Report &Answer, const Kernel &K) {
  int Fd = memfd_create("belay-report", MFD_CLOEXEC);
  int Pipe[2] = {-1, -1};
  std::string Text;
  if (Fd >= 0 &&
      write(Fd, &Answer, sizeof(Answer)) ==
          static_cast<ssize_t>(sizeof(Answer)) &&
      pipe2(Pipe, O_CLOEXEC) == 0) {
    std::vector<std::string> Args = {configuration().libexec("belay-report"),
                                     K.ObjectPath};
    if (!K.CubeObjectPath.empty())
      Args.push_back(K.CubeObjectPath);
    pid_t Child = spawn(std::move(Args), {Fd}, Pipe[1]);
    close(std::exchange(Pipe[1], -1));
    char Buffer[4096];
    ssize_t Read;
    while (Child > 0 && (Read = read(Pipe[0], Buffer, sizeof(Buffer))) > 0)
      Text.append(Buffer, static_cast<size_t>(Read));
    if (Child > 0)
      waitpid(Child, nullptr, 0);
  }
  for (int Each : {Fd, Pipe[0], Pipe[1]})
    if (Each >= 0)
      close(Each);
  if (Text.empty() && Answer.FailureId[0])
    Text = std::string("error: ") + Answer.Message + " [" + Answer.FailureId +
           "]\n";
  return Text;
}

Outcome RunnerLink::explain(const LaunchRequest &R, bool TimedOut) {
  sim::Report &Answer = Shared->Run.Answer;
  if (TimedOut && Child > 0) {
    // It writes down where its cores are, and goes.
    kill(Child, SIGUSR1);
    pollfd Poll = {Socket, POLLIN, 0};
    poll(&Poll, 1, GraceMilliseconds);
  }
  bool Passed = Answer.State == sim::Status::Passed && !TimedOut;
  if (Passed && Answer.NumFindings == 0)
    return {};
  if (!Passed)
    end();
  std::string Text =
      "in kernel '" + R.What->Name + "':\n" + describeReport(Answer, *R.What);
  if (!Kind.Embedded)
    reportText("belay: " + Text);
  return {TimedOut ? RtAicoreTimeout : RtAicoreException, Text};
}

Outcome RunnerLink::admit(const LaunchRequest &R) {
  std::string Unmet = unmetConditions(R, Memory);
  if (Unmet.empty())
    return {};
  std::string Text = "in kernel '" + R.What->Name + "':\n" + Unmet;
  if (!Kind.Embedded)
    reportText("belay: " + Text);
  return {RtParam, Text};
}

Outcome RunnerLink::launch(const LaunchRequest &R, bool *Overflowed) {
  std::unique_lock<std::timed_mutex> Lock(Mutex, std::defer_lock);
  do
    if (taskIsStopped())
      return {};
  while (!Lock.try_lock_for(Often));
  std::string Why;
  if (Child < 0 && !start(Why))
    return {RtInternal, Why};
  fill(R);
  char Byte = 'l';
  if (send(Socket, &Byte, 1, MSG_NOSIGNAL) != 1)
    return explain(R, /*TimedOut=*/false);
  Reply How = await();
  if (How == Reply::Unwanted) {
    end();
    return {};
  }
  Outcome Result = explain(R, How == Reply::Late);
  if (Overflowed)
    *Overflowed = Shared->Run.Answer.Overflowed;
  return Result;
}

} // namespace belay::device
