//===- Calls.h - Which system calls are allowed -----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_SANDBOX_CALLS_H
#define BELAY_SANDBOX_CALLS_H

namespace belay::sandbox {

/// What a process needs, from much to little. A process can only go down.
enum class Calls {
  Late,   ///< As Tool, and takes descriptors that it is sent.
  Tool,   ///< Compilers: files, threads, programs.
  Loader, ///< Loads a shared object and forks; no programs, writes no files.
  Kernel, ///< One thread that computes.
};

/// Refuses all system calls but those that \p Allowed needs, to this thread and
/// all that come from it, for good. False, with errno, if it cannot be.
bool restrictCalls(Calls Allowed);

} // namespace belay::sandbox

#endif // BELAY_SANDBOX_CALLS_H
