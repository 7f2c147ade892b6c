//===- Evaluator.h - Compiles, checks, runs and times candidates -*- C++
//-*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_BENCH_EVALUATOR_H
#define BELAY_BENCH_EVALUATOR_H

#include "bench/Result.h"
#include "bench/Values.h"
#include "check/Checker.h"
#include "launch/CaseRunner.h"

namespace belay::bench {

struct Candidate {
  std::string Model; ///< Who made it.
  std::string Task;  ///< The id.
  std::string Sample;
  std::string Path;
  std::string Source;
};

/// What a candidate may use. Seconds are CPU time: a verdict must not depend on
/// who else uses the machine.
struct Limits {
  double CompileSeconds = 60;
  uint64_t CompileBytes = uint64_t(4) << 30;
  double LaunchSeconds = 20;
  uint64_t LaunchBytes = uint64_t(2) << 30;
  double TotalSeconds = 120;
  /// Of the static check. It takes a fifth of a second, or it follows so many
  /// paths that after 20 s it does not know either: what is not known by then
  /// stays open.
  double CheckSeconds = 2;
  /// Each of them is waited for this many times as long. What has not used its
  /// time by then is not judged.
  static constexpr double Patience = 6;

  std::string str() const;
};

/// What candidates of a task are compared with.
struct Baseline {
  double AnswerCycles = 0, FloorCycles = 0;
};

/// Judges candidates one after the other, each sealed and in a sandbox, each by
/// a compiler and in folders of its own. One for each thread.
class Evaluator {
public:
  struct Options {
    std::string Soc = "Ascend910B3";
    /// Orders of the pipes that are tried with one of the cases.
    unsigned Schedules = 1;
    /// Without it a candidate has all rights of the user.
    bool Sandbox = true;
    Limits Most;
    /// Shapes of foreign sets that have more elements are halved; 0: none is.
    uint64_t Largest = uint64_t(4) << 20;
  };
  explicit Evaluator(Options Opts) : Opts(std::move(Opts)) {}

  Result evaluate(const Task &T, const Candidate &C, const TaskValues &Public,
                  const TaskValues &Hidden, const Baseline &Against);

  /// Times the answer of a task.
  llvm::Expected<Baseline> baseline(const Task &T, const TaskValues &Public);

  /// The answer's contract, which is the interface of AscendC candidates, and
  /// its AscendC.
  llvm::Expected<const launch::LanguageKernel *> answer(const Task &T);

  const Options &options() const { return Opts; }

private:
  Options Opts;
  std::map<std::string, launch::LanguageKernel> Answers;
};

} // namespace belay::bench

#endif // BELAY_BENCH_EVALUATOR_H
