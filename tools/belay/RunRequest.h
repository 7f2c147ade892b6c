//===- RunRequest.h - The command line of belay run, taken apart -*- C++ -*-==//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_RUNREQUEST_H
#define BELAY_TOOLS_BELAY_RUNREQUEST_H

#include "Command.h"

#include "launch/CaseRunner.h"

namespace belay::tool {

enum class RunFormat { Text, Json, Sarif };

struct RunRequest {
  std::vector<cases::Case> Cases;
  launch::CaseRunner::Options Options;
  RunFormat As = RunFormat::Text;
  /// Sealed kernels run even where they cannot be confined.
  bool NoSandbox = false;
  /// Launches are held against the conditions of a static check.
  bool Conditions = false;
};

/// Reads arguments that were parsed by the options of belay run.
llvm::Expected<RunRequest> readRunRequest(const Arguments &Args);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_RUNREQUEST_H
