//===- CaseResult.h - What became of a case, or of a check ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_CASERESULT_H
#define BELAY_REPORT_CASERESULT_H

#include "abi/Counts.h"
#include "cases/Compare.h"
#include "report/TopicVerdict.h"
#include "sandbox/Policy.h"
#include <memory>
#include <optional>

namespace belay::report {

struct TimeReport;

/// One output of a passed launch.
struct OutputResult {
  std::string Name;
  cases::TensorType Tensor;
  cases::Statistics Values;
  /// Where it was written, or "".
  std::string Path;
  std::string ExpectedPath;
  std::optional<cases::Comparison> Compared;
};

/// What a known launch of a checked kernel showed.
struct LaunchResult {
  std::string Name; // "'tail' of cases.json"
  bool Passed = false;
  /// Conditions of topics that are clean if they hold, and here do not.
  std::vector<support::DiagNote> Unmet;
};

struct CaseResult {
  std::string Name;
  std::string Kernel;
  uint32_t Blocks = 0;
  /// Errors, and warnings: a case that has only those passed.
  std::vector<support::Diagnostic> Problems;
  std::vector<OutputResult> Outputs;
  bool FromCache = false;
  double CompileSeconds = 0;
  /// Of the launch alone, one per repetition.
  std::vector<double> KernelSeconds;
  /// Nothing of this was in the kernel's reach.
  bool Sealed = false;
  /// What confined it while it ran; nothing if it was not in a sandbox.
  std::optional<sandbox::Status> Confined;
  uint64_t Instructions = 0;
  /// Known only if it was asked for.
  sim::Counts Executed = {};
  std::shared_ptr<const TimeReport> Time;
  /// The time is from the cache: nothing was launched.
  bool Remembered = false;
  double RunnerCpuSeconds = 0;
  /// Of compilers.
  double CompilerCpuSeconds = 0;
  /// Findings of a check that the source itself allows.
  unsigned Silenced = 0;
  /// Empty if the kernel was run.
  std::vector<TopicVerdict> Verdicts;
  /// Of a kernel that was checked.
  std::vector<LaunchResult> Launches;
  /// Of a kernel of the language that was run: what its compiler said, and what
  /// that means for its proof.
  std::optional<std::string> ProofMessages;
  std::optional<TopicVerdict> Proof;

  bool passed() const;
};

} // namespace belay::report

#endif // BELAY_REPORT_CASERESULT_H
