//===- FailureReport.h - What went wrong in a launch ------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_FAILUREREPORT_H
#define BELAY_REPORT_FAILUREREPORT_H

#include "cases/Case.h"
#include "report/FrameResolver.h"
#include "support/Subprocess.h"
#include <optional>

namespace belay::report {

/// A child may have written anything into its report: ends all texts and bounds
/// all counts.
void cleanReport(sim::Report &Report);

/// Nothing if the launch passed. Otherwise what the model found, or how the
/// child ended, with the core and the source lines.
std::optional<support::Diagnostic>
explainOutcome(const support::ProcessResult &Process, const sim::Report &Report,
               const cases::Case &Case, FrameResolver &Resolver);

/// What the sanitizer found, gravest first within the order of finding.
std::vector<support::Diagnostic> explainFindings(const sim::Report &Report,
                                                 FrameResolver &Resolver);

/// "vector core of block 1, sub-block 1"
std::string nameCore(const sim::Place &Place);

} // namespace belay::report

#endif // BELAY_REPORT_FAILUREREPORT_H
