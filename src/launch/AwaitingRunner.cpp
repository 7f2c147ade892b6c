//===- AwaitingRunner.cpp - A runner that is started in advance -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "launch/AwaitingRunner.h"

#include "sandbox/Descriptors.h"
#include "sealed/Protocol.h"
#include "support/Resources.h"

#include "llvm/ADT/STLExtras.h"

#include <sys/socket.h>
#include <thread>

using namespace llvm;
using namespace belay;
using namespace belay::launch;
using namespace belay::sim::sealed;
using namespace belay::support;

/// A memory file with words, each ended by a zero.
static Expected<MemoryFile> fileOf(ArrayRef<std::string> Words) {
  std::string Text;
  for (const std::string &Word : Words)
    (Text += Word) += '\0';
  Expected<MemoryFile> File = MemoryFile::create("words", Text.size());
  if (File)
    llvm::copy(toBytes(Text), File->bytes().begin());
  return File;
}

void belay::launch::limitRunner(const cases::Case &Case, ProcessSpec &Spec) {
  // Only a second line of defence: all CPUs busy for the whole time, and more.
  Spec.CpuSeconds =
      static_cast<uint64_t>((Case.TimeLimitSeconds + 5) *
                            std::max(1u, std::thread::hardware_concurrency()));
  Spec.DataBytes = Case.MemoryLimitBytes;
}

Expected<AwaitingRunner> AwaitingRunner::start(const std::string &Runner,
                                               const cases::Case &Case) {
  sandbox::Policy P;
  P.readLibraries();
  std::string Issuer = getLibexecPath("belay-issuer");
  P.Read.push_back(Issuer);
  P.Late = true;
  P.Processes = MaxCores + 1;
  Expected<MemoryFile> Command = fileOf(sandbox::commandOf(
      P, getLibexecPath("belay-sandbox"), StatusFd, {Issuer}));
  if (!Command)
    return Command.takeError();
  Expected<sandbox::StatusFile> Status = sandbox::StatusFile::create();
  if (!Status)
    return Status.takeError();
  int Ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, Ends) != 0)
    return errorFromErrno("socketpair");
  Descriptor Here(Ends[0]), There(Ends[1]);
  ProcessSpec Spec;
  Spec.Args = {Runner, "--await"};
  Spec.ClearEnv = true;
  Spec.Fds = {{There.get(), AwaitFd},
              {Command->fd(), AwaitCommandFd},
              {Status->fd(), AwaitStatusFd}};
  limitRunner(Case, Spec);
  return AwaitingRunner(std::move(Here), std::move(*Command),
                        std::move(*Status), RunningProcess(std::move(Spec)));
}

Expected<ProcessResult> AwaitingRunner::launch(ProcessSpec Spec) {
  Expected<MemoryFile> Words = fileOf(ArrayRef(Spec.Args).drop_front());
  if (!Words)
    return Words.takeError();
  std::vector<int> Fds = {Words->fd()};
  for (auto [Here, There] : Spec.Fds) {
    assert(There == FirstSentFd + int(Fds.size()) - 1 && "in order");
    Fds.push_back(Here);
  }
  for (ArrayRef<int> Rest = Fds; !Rest.empty();) {
    ArrayRef<int> Now = Rest.take_front(sandbox::MaxDescriptors);
    Rest = Rest.drop_front(Now.size());
    sandbox::Message M;
    for (int Fd : Now)
      M.add(Fd);
    M.Number = static_cast<uint32_t>(Rest.size());
    if (!sandbox::send(Socket.get(), M))
      break; // it has ended, as the result will say
  }
  ProcessSpec &Limits = Process.spec();
  Limits.Timeout = Spec.Timeout;
  Limits.CpuTime = Spec.CpuTime;
  Limits.OnTimeout = std::move(Spec.OnTimeout);
  Limits.Grace = Spec.Grace;
  Limits.ResidentBytes = Spec.ResidentBytes;
  Limits.OnOutput = std::move(Spec.OnOutput);
  return Process.wait();
}
