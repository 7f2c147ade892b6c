//===- AwaitingRunner.h - A runner that is started in advance ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sealed launch in a sandbox needs belay-runner, belay-sandbox and
// belay-issuer. They start while the object is looked up and the arguments are
// filled, and wait for them.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_AWAITINGRUNNER_H
#define BELAY_LAUNCH_AWAITINGRUNNER_H

#include "cases/Case.h"
#include "sandbox/Sandbox.h"

namespace belay::launch {

class AwaitingRunner {
public:
  /// For launches within the limits of \p Case.
  static llvm::Expected<AwaitingRunner> start(const std::string &Runner,
                                              const cases::Case &Case);

  /// Launches what \p Spec would start, with its descriptors, and follows it to
  /// its end under its limits of time and memory in use; once. Other limits are
  /// those of start(). A kernel that could not be confined is NotConfined.
  llvm::Expected<support::ProcessResult> launch(support::ProcessSpec Spec);

  /// What confined the kernel, after launch().
  sandbox::Status confined() const { return Status.read(); }

private:
  AwaitingRunner(support::Descriptor Socket, support::MemoryFile Command,
                 sandbox::StatusFile Status, support::RunningProcess Process)
      : Socket(std::move(Socket)), Command(std::move(Command)),
        Status(std::move(Status)), Process(std::move(Process)) {}

  support::Descriptor Socket;
  support::MemoryFile Command;
  sandbox::StatusFile Status;
  support::RunningProcess Process;
};

/// Limits of every runner.
void limitRunner(const cases::Case &Case, support::ProcessSpec &Spec);

} // namespace belay::launch

#endif // BELAY_LAUNCH_AWAITINGRUNNER_H
