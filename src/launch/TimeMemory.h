//===- TimeMemory.h - Costs of launches that are known --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch costs follows from what it is made of: the kernel's object, the
// bytes of its arguments, the costs of the SoC, and Belay itself. `belay tune`
// keeps it in the cache under a name made of all that, so that a search that
// was stopped goes on where it was.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_LAUNCH_TIMEMEMORY_H
#define BELAY_LAUNCH_TIMEMEMORY_H

#include "cases/Case.h"
#include "launch/ArgumentBuffers.h"
#include "timing/Answer.h"
#include "toolchain/KernelCompiler.h"

namespace belay::launch {

/// Whether a launch does nothing but to be timed: no output is written or
/// compared, nothing else is looked for.
bool isOnlyTimed(const cases::Case &Case);

/// The name of a launch; fails if a file cannot be read.
llvm::Expected<std::string>
nameOfLaunch(const cases::Case &Case, const toolchain::CompiledKernel &Kernel,
             const ArgumentBuffers &Arguments, llvm::StringRef Runner,
             llvm::StringRef Costs);

/// What is kept: totals, no lines.
std::string recordOf(const timing::Answer &Answer);
/// Nothing if the text is no such record.
std::optional<timing::Answer> readRecord(llvm::StringRef Text);

} // namespace belay::launch

#endif // BELAY_LAUNCH_TIMEMEMORY_H
