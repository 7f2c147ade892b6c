//===- Report.h - Results for people ----------------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_REPORT_H
#define BELAY_BENCH_REPORT_H

#include "bench/Store.h"

namespace belay::bench {

/// One page that needs nothing else: leaderboard, tables by level and category,
/// funnel, plots, and every candidate with what was said of it.
std::string formatHtml(llvm::StringRef Experiment, llvm::ArrayRef<Row> Rows);

/// One line for each candidate.
std::string formatCsv(llvm::ArrayRef<Row> Rows);

/// The numbers of the page, and all records.
std::string formatJson(llvm::StringRef Experiment, llvm::ArrayRef<Row> Rows);

/// The leaderboard as text.
std::string formatText(llvm::ArrayRef<Row> Rows);

} // namespace belay::bench

#endif // BELAY_BENCH_REPORT_H
