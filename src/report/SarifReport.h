//===- SarifReport.h - Results for code scanning ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_REPORT_SARIFREPORT_H
#define BELAY_REPORT_SARIFREPORT_H

#include "report/RunReport.h"

namespace belay::report {

/// All problems as one SARIF 2.1.0 log. Its rules are all diagnostics of Belay,
/// each with its page.
void printSarif(llvm::raw_ostream &Out, llvm::ArrayRef<CaseResult> Results,
                llvm::StringRef Version);

} // namespace belay::report

#endif // BELAY_REPORT_SARIFREPORT_H
