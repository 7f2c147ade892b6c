//===- Standing.h - The numbers of a leaderboard ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_STANDING_H
#define BELAY_BENCH_STANDING_H

#include "bench/Scores.h"
#include "bench/Store.h"

namespace belay::bench {

/// What is read of the record of a result.
struct Judged {
  const Row *From = nullptr;
  bool Compiled = false, Clean = false, Known = false;
  bool Correct = false;
  bool Safe = false; ///< And correct.
  double Score = 0, Speedup = 0;
  /// The id of the first problem, or "".
  std::string FirstProblem;
  llvm::json::Value Record = nullptr;
};

/// Rows without a result, and those that were not judged, are not Known.
std::vector<Judged> readRows(llvm::ArrayRef<Row> Rows);

/// Of one model, or of some of its tasks.
struct Standing {
  std::string Name;
  /// Those that were not judged count as failed, those that wait not at all.
  unsigned Candidates = 0, Unjudged = 0, Waiting = 0;
  unsigned Compiled = 0, Clean = 0, Correct = 0, Safe = 0, Fast = 0;
  Estimate Score;
  struct AtK {
    unsigned K;
    Estimate Compile, Pass, Safe;
  };
  std::vector<AtK> At;
  /// fast_p: the mean over tasks of the share of samples that pass and are at
  /// least p times as fast as the answer.
  struct FastP {
    double P;
    Estimate Share;
  };
  std::vector<FastP> Faster;
};

Standing standingOf(llvm::StringRef Name, llvm::ArrayRef<const Judged *> Of);

/// Candidates by what \p Name says of them, in the order of names.
std::vector<Standing>
standingsBy(llvm::ArrayRef<Judged> All,
            const std::function<std::string(const Row &)> &Name);

/// The best first; equal ones in the order of names.
void sortByScore(std::vector<Standing> &Standings);

} // namespace belay::bench

#endif // BELAY_BENCH_STANDING_H
