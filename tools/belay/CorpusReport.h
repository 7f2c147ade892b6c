//===- CorpusReport.h - The corpus and its score, in words ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TOOLS_BELAY_CORPUSREPORT_H
#define BELAY_TOOLS_BELAY_CORPUSREPORT_H

#include "corpus/Orders.h"
#include "corpus/Score.h"
#include "support/Styling.h"

namespace belay::tool {

/// Recall and false alarms per class, then every pattern that was missed with
/// what was said instead, every false alarm, and what no run can show.
void printScore(llvm::raw_ostream &OS, const corpus::Scoreboard &Board);
void printScoreJson(llvm::raw_ostream &OS, const corpus::Scoreboard &Board);

/// What random orders of the pipes did, per class, then the kernels where that
/// does not fit what the sanitizer said.
void printOrders(llvm::raw_ostream &OS, const corpus::OrderBoard &Board);

/// One line per pattern.
void printPatterns(llvm::raw_ostream &OS,
                   llvm::ArrayRef<corpus::Pattern> Patterns);
/// docs/corpus.md.
void printCorpusMarkdown(llvm::raw_ostream &OS,
                         llvm::ArrayRef<corpus::Pattern> Patterns);

} // namespace belay::tool

#endif // BELAY_TOOLS_BELAY_CORPUSREPORT_H
