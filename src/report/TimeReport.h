//===- TimeReport.h - What a launch costs, and which lines ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_TIMEREPORT_H
#define BELAY_REPORT_TIMEREPORT_H

#include "report/FrameResolver.h"
#include "timing/Answer.h"
#include "llvm/Support/JSON.h"

namespace belay::report {

/// A line of the source, with its share of the longest chain of instructions.
struct TimedLine {
  support::SourcePlace Where;
  /// "Add, Mul"
  std::string Instructions;
  timing::SiteAnswer Sum = {};
  /// What to do about it, or "".
  std::string Advice;
};

struct TimeReport {
  timing::Answer Total; // its sites are those of Lines
  /// The most expensive first.
  std::vector<TimedLine> Lines;
};

TimeReport explainTime(const timing::Answer &Answer, FrameResolver &Resolver);

/// 1234567 as "1,234,567".
std::string formatCycles(double Cycles);
/// "34 % of the cycles, mostly bank conflicts".
std::string describeLine(const TimeReport &Report, const TimedLine &Line);
/// What a kernel with these cycles is bound by: "bytes", "vector", ...
std::string boundOf(const timing::Answer &Answer);

/// Lines below the result of a case.
void printTime(llvm::raw_ostream &Out, const TimeReport &Report);
llvm::json::Object timeToJson(const TimeReport &Report);

} // namespace belay::report

#endif // BELAY_REPORT_TIMEREPORT_H
