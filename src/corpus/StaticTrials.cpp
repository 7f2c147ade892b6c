//===- StaticTrials.cpp - Checks the sources of the corpus ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Checker.h"
#include "corpus/Trials.h"
#include <atomic>
#include <mutex>
#include <thread>

using namespace llvm;
using namespace belay;
using namespace belay::corpus;

/// One result for the file, whatever number of kernels it has.
static report::CaseResult checkTrial(check::Checker &By, const Trial &T) {
  check::CheckRequest Request;
  Request.Source = T.Case.Source;
  Request.Soc = T.Case.Soc;
  Request.Defines = T.Case.Defines;
  Request.IncludeDirs = T.Case.IncludeDirs;
  Request.CompilerSync = T.AutoSync;
  report::CaseResult Merged;
  Merged.Name = T.Case.Source;
  for (report::CaseResult &Each :
       check::toResults(By.check(Request), Request.Source)) {
    append_range(Merged.Problems, Each.Problems);
    append_range(Merged.Verdicts, Each.Verdicts);
  }
  return Merged;
}

Expected<std::vector<report::CaseResult>>
belay::corpus::checkTrials(ArrayRef<Trial> Trials, const RunOptions &Options) {
  unsigned Jobs = Options.Jobs
                      ? Options.Jobs
                      : std::max(1U, std::thread::hardware_concurrency());
  std::vector<check::Checker> Checkers;
  for (unsigned I = 0; I < Jobs; ++I) {
    check::Checker::Options Each;
    Each.Compiler = Options.Runner.Compiler;
    Expected<check::Checker> Made = check::Checker::create(Each);
    if (!Made)
      return Made.takeError();
    Checkers.push_back(std::move(*Made));
  }
  std::vector<report::CaseResult> Results(Trials.size());
  std::atomic<size_t> Next = 0;
  std::mutex Reporting;
  auto Work = [&](check::Checker &By) {
    for (size_t I; (I = Next++) < Trials.size();) {
      Results[I] = checkTrial(By, Trials[I]);
      std::lock_guard<std::mutex> Lock(Reporting);
      if (Options.OnResult)
        Options.OnResult(I, Results[I]);
    }
  };
  std::vector<std::thread> Workers;
  for (check::Checker &Each : Checkers)
    Workers.emplace_back(Work, std::ref(Each));
  for (std::thread &Worker : Workers)
    Worker.join();
  return Results;
}
