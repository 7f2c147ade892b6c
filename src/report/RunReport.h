//===- RunReport.h - Results for people and for programs --------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_RUNREPORT_H
#define BELAY_REPORT_RUNREPORT_H

#include "report/CaseResult.h"
#include "support/DiagnosticError.h"
#include "support/Styling.h"
#include "llvm/Support/JSON.h"

namespace belay::report {

/// What went wrong, then one line that sums the case up.
void printResult(llvm::raw_ostream &Out, llvm::raw_ostream &Err,
                 const CaseResult &Result);

/// A problem as every command of Belay shows it to programs.
llvm::json::Object diagnosticToJson(const support::Diagnostic &Diag);

/// All results as one JSON object.
void printJson(llvm::raw_ostream &Out, llvm::ArrayRef<CaseResult> Results);

/// One result as a JSON object on a line of its own.
void printJsonLine(llvm::raw_ostream &Out, const CaseResult &Result);

/// The gravest status among the results.
support::ExitStatus exitStatusOf(llvm::ArrayRef<CaseResult> Results);

} // namespace belay::report

#endif // BELAY_REPORT_RUNREPORT_H
