//===- Sandbox.cpp - Programs that can reach only what they need ----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sandbox/Sandbox.h"

#include "support/Resources.h"

#include <cstring>

using namespace llvm;
using namespace belay;
using namespace belay::sandbox;
using namespace belay::support;

Expected<StatusFile> StatusFile::create() {
  Expected<MemoryFile> Memory = MemoryFile::create("status", sizeof(Status));
  if (!Memory)
    return Memory.takeError();
  StatusFile Result;
  Result.Memory = std::move(*Memory);
  return Result;
}

Status StatusFile::read() const {
  Status Said;
  std::memcpy(&Said, Memory.bytes().data(), sizeof(Said));
  Said.Step[sizeof(Said.Step) - 1] = '\0';
  return Said;
}

std::string belay::sandbox::whyNotStarted(const Status &Said) {
  if (Said.Started)
    return "";
  if (!Said.Version)
    return "belay-sandbox did not start";
  if (!Said.Errno)
    return "belay-sandbox ended early";
  return std::string(Said.Step) + ": " + std::strerror(Said.Errno);
}

Policy belay::sandbox::policyOfLoader(std::vector<std::string> Objects) {
  Policy P;
  P.readLibraries();
  P.Read.push_back(getLibPath(""));
  P.Read.push_back(getLibexecPath(""));
  for (std::string &Object : Objects)
    if (!Object.empty())
      P.Read.push_back(std::move(Object));
  return P;
}

/// The first descriptor that the program does not use.
static int freeDescriptor(const ProcessSpec &Spec) {
  int Free = 3;
  for (auto [Here, There] : Spec.Fds)
    Free = std::max(Free, There + 1);
  return Free;
}

#ifndef __has_feature
#define __has_feature(Name) 0 // GCC
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
static constexpr bool Sanitized = true;
#else
static constexpr bool Sanitized = false;
#endif

static ProcessResult run(Policy P, ProcessSpec Spec, Status &Said) {
  ProcessResult Result;
  Result.How = ProcessResult::Status::NotConfined;
  Expected<StatusFile> File = StatusFile::create();
  if (!File) {
    Result.Error = toString(File.takeError());
    return Result;
  }
  int Fd = freeDescriptor(Spec);
  Spec.Fds.push_back({File->fd(), Fd});
  // Where resources are cannot be found out without /proc.
  Spec.Env.push_back("BELAY_HOME=" + getPrefix());
  if (Sanitized) {
    P.Proc = true;
    // What looks for leaks traces the process.
    Spec.Env.push_back("ASAN_OPTIONS=detect_leaks=0");
  }
  if (P.TemporaryBytes)
    Spec.Env.push_back("TMPDIR=/tmp");
  Spec.Args = commandOf(P, getLibexecPath("belay-sandbox"), Fd, Spec.Args);
  ProcessResult Ran = runProcess(Spec);
  Said = File->read();
  using How = ProcessResult::Status;
  // A time-out or a lack of memory may come before the program does.
  if (Said.Started || Ran.How == How::TimedOut || Ran.How == How::TooLarge)
    return Ran;
  Result.Error = "the sandbox cannot be set up: " +
                 (Ran.How == How::NotRun ? Ran.Error : whyNotStarted(Said));
  return Result;
}

ProcessResult belay::sandbox::run(const Policy &P, ProcessSpec Spec) {
  Status Ignored = {};
  return ::run(P, std::move(Spec), Ignored);
}

ProcessResult belay::sandbox::run(const Policy *P, ProcessSpec Spec) {
  return P ? run(*P, std::move(Spec)) : runProcess(Spec);
}

Ability belay::sandbox::examineMachine() {
  Policy P;
  P.readLibraries();
  std::string Self = getLibexecPath("belay-sandbox");
  P.Read.push_back(Self);
  ProcessSpec Spec;
  // It says how it is used, and nothing else.
  Spec.Args = {Self};
  Spec.ClearEnv = true;
  Spec.Timeout = std::chrono::seconds(10);
  Ability Result;
  ProcessResult Ran = ::run(P, std::move(Spec), Result.Said);
  if (!Result.Said.Started)
    Result.WhyNot = Ran.Error.empty() ? Ran.describe() : Ran.Error;
  return Result;
}
