//===- Policy.h - What a child process may reach ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Children that handle untrusted code (compilers, whatever loads a kernel, what
// reads its debug information) are started through belay-sandbox, which gives
// them namespaces of their own and an empty root folder with only what a Policy
// names. decisions/0016 says why and how. No LLVM: belay-runner uses it, too.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANDBOX_POLICY_H
#define BELAY_SANDBOX_POLICY_H

#include <cstdint>
#include <string>
#include <vector>

namespace belay::sandbox {

/// What is not named cannot be reached: no other file, no network, no process,
/// no device, no /proc. Limits on time and memory are those of the process that
/// starts belay-sandbox, which are inherited.
struct Policy {
  /// Files and folders, absolute; what does not exist is left out.
  std::vector<std::string> Read;
  /// Folders for results.
  std::vector<std::string> Write;
  /// Files and folders below those of Read that look empty.
  std::vector<std::string> Hide;
  /// A /tmp of its own, of this size; 0 for none.
  uint64_t TemporaryBytes = 0;
  /// A /proc with its own processes only: for programs with sanitizers, which
  /// do not start without.
  bool Proc = false;
  /// The program is started in advance, and is sent what it works on: see
  /// Descriptors.h.
  bool Late = false;
  unsigned Processes = 64;

  /// System libraries, which every program needs.
  void readLibraries();
  /// All of the system's programs and headers.
  void readSystem();
  /// A folder, and what the links in it lead to, as in a build tree.
  void readLinked(const std::string &Folder);
};

/// What belay-sandbox says of itself, in memory that it shares with whoever
/// started it. The child that it starts cannot reach it.
struct Status {
  static constexpr uint32_t ThisVersion = 1;
  uint32_t Version;
  /// What was enforced when the child started.
  uint32_t Namespaces; // user, mount, pid, net, ipc, uts, cgroup
  uint32_t SystemCalls;
  uint32_t Landlock; // version of its interface; 0 for none
  uint32_t User;     // the user that it runs as
  uint32_t Started;  // 1 just before the program is executed
  int32_t Errno;     // why it could not be
  int32_t Ended;     // how it ended, as waitpid() says
  char Step[120];    // what failed
};

/// How belay-sandbox exits if it cannot start the program.
inline constexpr int CannotStart = 125;

/// The arguments that start \p Program under \p P, with \p StatusFd as the
/// descriptor of a Status, or -1.
std::vector<std::string> commandOf(const Policy &P, const std::string &Sandbox,
                                   int StatusFd,
                                   const std::vector<std::string> &Program);

} // namespace belay::sandbox

#endif // BELAY_SANDBOX_POLICY_H
