//===- LaunchConditions.h - Conditions of a check, for a launch -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_LAUNCHCONDITIONS_H
#define BELAY_TOOLS_BELAY_LAUNCHCONDITIONS_H

#include "cases/Case.h"
#include "check/Checker.h"
#include "launch/ArgumentBuffers.h"
#include <map>

namespace belay::tool {

/// Each condition of what was found of a kernel that a launch does not meet, or
/// of which that is not known.
std::vector<support::Diagnostic>
unmetConditions(const check::Report &Found, const cases::Case &Case,
                llvm::StringRef Kernel,
                const launch::ArgumentBuffers &Arguments);

/// Checks the source of each kernel once, and holds its launches against the
/// conditions under which a topic is clean.
class LaunchConditions {
public:
  static llvm::Expected<LaunchConditions>
  create(const toolchain::KernelCompiler::Options &Compiler);

  /// Each condition that does not hold, or of which that is not known.
  std::vector<support::Diagnostic>
  unmet(const cases::Case &Case, llvm::StringRef Kernel,
        const launch::ArgumentBuffers &Arguments);

  /// What is asked of the launches of the case's kernel.
  llvm::Expected<conditions::KernelConditions> of(const cases::Case &Case);

  /// The same of all kernels of a source.
  llvm::Expected<std::vector<conditions::KernelConditions>>
  ofAll(const cases::Case &Case);

private:
  explicit LaunchConditions(check::Checker Checker)
      : Checker(std::move(Checker)) {}
  const check::Report &reportOf(const cases::Case &Case);

  check::Checker Checker;
  std::map<std::vector<std::string>, check::Report> Reports;
};

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_LAUNCHCONDITIONS_H
