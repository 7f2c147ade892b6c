//===- Result.h - What became of a candidate --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_RESULT_H
#define BELAY_BENCH_RESULT_H

#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace belay::bench {

/// The stages, in order.
enum class Stage : uint8_t { Compile, Check, Run, Safety, Time };
llvm::StringRef nameOf(Stage S);

/// The first thing that keeps a candidate from full marks.
enum class Verdict : uint8_t {
  Passed,
  NotCompiled,
  Stopped,    ///< It crashed, hung or reached a limit.
  Unsafe,     ///< A finding, of the static check or of the sanitizer.
  Wrong,      ///< In a public or in a hidden case.
  Impossible, ///< It takes less time than moving its outputs takes.
  Unjudged,   ///< Belay or the machine failed: says nothing about it.
};
llvm::StringRef nameOf(Verdict V);
std::optional<Verdict> verdictNamed(llvm::StringRef Name);

/// What a diagnostic says about a candidate.
enum class Fault : uint8_t {
  None,
  NotCompiled, ///< A compiler refuses it, or the device's would.
  Refused,     ///< It does not admit a launch that the task has.
  Stopped,     ///< It ended before its work did.
  Unsafe,
  Wrong,
  NotOurs, ///< Nothing: Belay or the machine failed, or does not know.
};
Fault faultOf(support::DiagId Id);

/// Something that was found out about a candidate.
struct Problem {
  Stage During = Stage::Compile;
  std::string Case; ///< "public 2", "hidden 0", or nothing.
  support::Diagnostic What;
};

/// All that a score is made of. It is a function of what the job's key covers:
/// times of this machine are in Costs.
struct Result {
  static constexpr int64_t Schema = 1;

  std::string Task, Soc, Kind;
  bool Compiled = false, Correct = false, Safe = false;
  bool Judged = true;
  unsigned PublicCases = 0, PublicRight = 0, HiddenCases = 0, HiddenRight = 0;
  /// The largest error, in units of what is allowed.
  double WorstError = 0;
  std::vector<Problem> Problems;
  std::string Messages; ///< Of compilers; cut.
  /// Topics of the static check that are neither clean nor a finding.
  std::vector<std::string> Unknown;
  unsigned Schedules = 0;
  /// Simulated; 0 if it was not timed.
  double Cycles = 0, LeastCycles = 0, MostCycles = 0;
  double AnswerCycles = 0, FloorCycles = 0;
  bool Impossible = false;
  /// Not, where there is no answer to compare with: a score is 1 or 0 then.
  bool Timed = true;
  bool Sealed = false, Confined = false;

  /// Seconds of this machine by stage; no part of the record.
  std::map<std::string, double> Costs;

  void charge(Fault What);
  Verdict verdict() const;
  /// The answer's time divided by the candidate's; 0 if it was not timed.
  double speedup() const;
  /// Between 0 and 1: right, safe and as fast as the answer.
  double score() const;
};

/// The record of a result, and back. What was written by another version is
/// nothing.
llvm::json::Object toJson(const Result &R);
/// The text that is stored, and its SHA-256.
std::string recordOf(const Result &R);

} // namespace belay::bench

#endif // BELAY_BENCH_RESULT_H
