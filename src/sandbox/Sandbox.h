//===- Sandbox.h - Programs that can reach only what they need --*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where children that handle untrusted code are started.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANDBOX_SANDBOX_H
#define BELAY_SANDBOX_SANDBOX_H

#include "sandbox/Policy.h"
#include "support/Files.h"
#include "support/Subprocess.h"

namespace belay::sandbox {

/// A Status in memory that is shared with a belay-sandbox.
class StatusFile {
public:
  static llvm::Expected<StatusFile> create();
  int fd() const { return Memory.fd(); }
  /// A copy of what has been written by now.
  Status read() const;

private:
  support::MemoryFile Memory;
};

/// "open_tree /work: Operation not permitted", or "" if the program was
/// started.
std::string whyNotStarted(const Status &Said);

/// The policy of a program of Belay that loads or reads \p Objects: libraries,
/// and nothing to write.
Policy policyOfLoader(std::vector<std::string> Objects);

/// Runs \p Spec under \p P, or not at all: what could not be enforced makes it
/// NotConfined. Its program has to be named by its path.
support::ProcessResult run(const Policy &P, support::ProcessSpec Spec);

/// As run() if \p P is there, and without a sandbox otherwise.
support::ProcessResult run(const Policy *P, support::ProcessSpec Spec);

/// What a process that does nothing is confined by on this machine.
struct Ability {
  std::string WhyNot; ///< "" if there is a sandbox.
  Status Said = {};
};
Ability examineMachine();

} // namespace belay::sandbox

#endif // BELAY_SANDBOX_SANDBOX_H
