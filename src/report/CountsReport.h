//===- CountsReport.h - What a launch executed, in numbers ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_COUNTSREPORT_H
#define BELAY_REPORT_COUNTSREPORT_H

#include "abi/Counts.h"
#include "llvm/Support/JSON.h"

namespace belay::report {

/// Lines below the result of a case.
void printCounts(llvm::raw_ostream &Out, const sim::Counts &Counts);

llvm::json::Object countsToJson(const sim::Counts &Counts);

} // namespace belay::report

#endif // BELAY_REPORT_COUNTSREPORT_H
