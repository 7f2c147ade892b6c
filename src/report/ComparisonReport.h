//===- ComparisonReport.h - What two kernels cost, side by side -*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_COMPARISONREPORT_H
#define BELAY_REPORT_COMPARISONREPORT_H

#include "report/CaseResult.h"
#include "timing/Answer.h"
#include "llvm/Support/JSON.h"

namespace belay::report {

enum class Faster { First, Second, Neither };

/// The cycles of the second over those of the first.
struct CycleRatio {
  double Middle, Least, Most; // over all draws
  Faster Which;
};

/// One is faster if it is in all draws, with the same draw for both, and by 15
/// % in the middle one; the rest is a tie.
CycleRatio compareCycles(const timing::Answer &First,
                         const timing::Answer &Second);

/// Of two results that were timed in all draws and counted.
void printComparison(llvm::raw_ostream &Out, llvm::StringRef FirstName,
                     const CaseResult &First, llvm::StringRef SecondName,
                     const CaseResult &Second);
llvm::json::Object comparisonToJson(const CaseResult &First,
                                    const CaseResult &Second);

} // namespace belay::report

#endif // BELAY_REPORT_COMPARISONREPORT_H
