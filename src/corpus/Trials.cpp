//===- Trials.cpp - Every kernel of the corpus, on every target -----------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "corpus/Trials.h"
#include "cases/CaseFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <mutex>
#include <thread>

using namespace llvm;
using namespace belay;
using namespace belay::corpus;

std::string Trial::str() const {
  SmallVector<StringRef> Parts;
  StringRef(Case.Source).split(Parts, '/', -1, /*KeepEmpty=*/false);
  // class/id/kernel, or folder/kernel of an example.
  ArrayRef<StringRef> Shown = ArrayRef(Parts).take_back(Of ? 3 : 2);
  return formatv("{0}{1}{2} on {3}, auto-sync {4}", join(Shown, "/"),
                 Of || Case.Name.empty() ? "" : ": ", Of ? "" : Case.Name, Arch,
                 AutoSync ? "on" : "off");
}

StringRef belay::corpus::socOf(uint32_t Arch) {
  switch (Arch) {
  case 2002:
    return "Ascend310P3";
  case 2201:
    return "Ascend910B3";
  case 3510:
    return "Ascend950PR_9599";
  default:
    return "";
  }
}

/// The case of one kernel of a pattern, on no target yet.
static Expected<cases::Case> caseOf(const Pattern &P, bool Unsafe) {
  json::Object Members = P.Run;
  for (const auto &[Key, Value] : Unsafe ? P.UnsafeRun : P.SafeRun)
    Members[Key] = Value;
  Members["source"] = Unsafe ? "unsafe.cpp" : "safe.cpp";
  Members["check"] = true;
  std::string Text = formatv("{0}", json::Value(std::move(Members)));
  Expected<std::vector<cases::Case>> Cases =
      cases::parseCases(Text, P.Directory);
  if (!Cases)
    return createStringError(formatv("{0}: {1}", P.pathOf("case.json"),
                                     toString(Cases.takeError())));
  if (Cases->size() != 1)
    return createStringError(P.pathOf("case.json") + ": \"run\" is one case");
  return std::move(Cases->front());
}

Expected<std::vector<Trial>> belay::corpus::trialsOf(const Pattern &P,
                                                     uint32_t Arch) {
  std::vector<Trial> Trials;
  for (bool Unsafe : {true, false}) {
    if (Unsafe && P.isBait())
      continue;
    Expected<cases::Case> Case = caseOf(P, Unsafe);
    if (!Case)
      return Case.takeError();
    for (uint32_t Each : P.Archs) {
      if (Arch && Each != Arch)
        continue;
      for (bool AutoSync : {true, false}) {
        if (P.Sync == (AutoSync ? SyncMode::Off : SyncMode::On))
          continue;
        Trials.push_back({&P, Unsafe, Each, AutoSync, *Case});
        Trials.back().Case.Soc = socOf(Each).str();
        Trials.back().Case.CompilerSync = AutoSync;
      }
    }
  }
  return Trials;
}

/// Neighbours that share an object belong to one worker: the second finds it in
/// the cache.
static std::vector<std::pair<size_t, size_t>>
groupByObject(ArrayRef<Trial> Trials) {
  std::vector<std::pair<size_t, size_t>> Groups;
  for (size_t I = 0; I < Trials.size(); ++I) {
    if (!Groups.empty() && Trials[I].Arch == Trials[I - 1].Arch &&
        Trials[I].Case.Source == Trials[I - 1].Case.Source)
      Groups.back().second = I + 1;
    else
      Groups.push_back({I, I + 1});
  }
  return Groups;
}

Expected<std::vector<report::CaseResult>>
belay::corpus::runTrials(ArrayRef<Trial> Trials, const RunOptions &Options) {
  std::vector<cases::Case> Cases;
  for (const Trial &Each : Trials)
    Cases.push_back(Each.Case);
  std::vector<std::pair<size_t, size_t>> Groups = groupByObject(Trials);
  unsigned Jobs = Options.Jobs
                      ? Options.Jobs
                      : std::max(1U, std::thread::hardware_concurrency());
  Jobs = std::min<size_t>(Jobs, std::max<size_t>(1, Groups.size()));

  // One runner each: a runner compiles into a folder of its own.
  std::vector<launch::CaseRunner> Runners;
  for (unsigned I = 0; I < Jobs; ++I) {
    Expected<launch::CaseRunner> Runner =
        launch::CaseRunner::create(Cases, Options.Runner);
    if (!Runner)
      return Runner.takeError();
    Runners.push_back(std::move(*Runner));
  }

  std::vector<report::CaseResult> Results(Trials.size());
  std::atomic<size_t> Next = 0;
  std::mutex Reporting;
  auto Work = [&](launch::CaseRunner &Runner) {
    for (size_t G; (G = Next++) < Groups.size();)
      for (size_t I = Groups[G].first; I < Groups[G].second; ++I) {
        Results[I] = Runner.run(Trials[I].Case);
        std::lock_guard<std::mutex> Lock(Reporting);
        if (Options.OnResult)
          Options.OnResult(I, Results[I]);
      }
  };
  std::vector<std::thread> Workers;
  for (launch::CaseRunner &Runner : Runners)
    Workers.emplace_back(Work, std::ref(Runner));
  for (std::thread &Worker : Workers)
    Worker.join();
  return Results;
}
