//===- RunPlan.h - Running the command lines of a plan ----------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_COMPILER_RUNPLAN_H
#define BELAY_COMPILER_RUNPLAN_H

#include "compiler/CompilePlan.h"
#include "support/Diagnostics.h"
#include <chrono>
#include <string>
#include <vector>

namespace belay::compiler {

/// What a compiler left behind.
struct RunOutcome {
  /// Empty if it did its work.
  std::vector<support::Diagnostic> Problems;
  std::string Object;
  std::string Log;
  /// Files that it says it has read. Nothing if it did not say.
  std::optional<std::vector<std::string>> Headers;
};

/// Runs a plan without a shell, in its folder, under limits. Whatever the tools
/// do, an object that is returned is a whole ELF file or archive.
RunOutcome runPlan(const CompilePlan &Plan, const Cann &With,
                   llvm::StringRef Folder, llvm::StringRef Source,
                   llvm::StringRef Shown, std::chrono::milliseconds Timeout);

} // namespace belay::compiler

#endif // BELAY_COMPILER_RUNPLAN_H
