//===- Trials.h - Every kernel of the corpus, on every target ---*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_CORPUS_TRIALS_H
#define BELAY_CORPUS_TRIALS_H

#include "corpus/Corpus.h"
#include "launch/CaseRunner.h"
#include <functional>

namespace belay::corpus {

/// One run of one kernel under the sanitizer.
struct Trial {
  /// Null for a kernel from outside of the corpus, which is taken to be right.
  const Pattern *Of = nullptr;
  bool Unsafe = false;
  uint32_t Arch = 0;
  bool AutoSync = true;
  cases::Case Case;
  /// The kernel was not written for this target: that it cannot run there is
  /// no fault.
  bool Foreign = false;

  /// "missing-sync/v6-1-load-then-add/unsafe.cpp on 2201, auto-sync off"
  std::string str() const;
};

/// The part that stands for an architecture; "" if it is not simulated.
llvm::StringRef socOf(uint32_t Arch);

/// All runs that the label of a pattern speaks of, or those on one
/// architecture if Arch is not 0.
llvm::Expected<std::vector<Trial>> trialsOf(const Pattern &P, uint32_t Arch);

/// The cases of all cases.json below Root, on every simulated architecture or
/// on one.
llvm::Expected<std::vector<Trial>> readExamples(llvm::StringRef Root,
                                                uint32_t Arch);

struct RunOptions {
  launch::CaseRunner::Options Runner;
  /// Trials that run at once; 0 for one per CPU.
  unsigned Jobs = 0;
  /// Called after each trial, from one thread at a time.
  std::function<void(size_t Index, const report::CaseResult &)> OnResult;
};

/// Runs all trials; the results have the same order.
/// Checks the source of each trial instead of running it.
llvm::Expected<std::vector<report::CaseResult>>
checkTrials(llvm::ArrayRef<Trial> Trials, const RunOptions &Options);

llvm::Expected<std::vector<report::CaseResult>>
runTrials(llvm::ArrayRef<Trial> Trials, const RunOptions &Options);

} // namespace belay::corpus

#endif // BELAY_CORPUS_TRIALS_H
