//===- Standing.cpp - The numbers of a leaderboard ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Standing.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;
using namespace belay::bench;

std::vector<Judged> belay::bench::readRows(ArrayRef<Row> Rows) {
  std::vector<Judged> Result;
  for (const Row &Each : Rows) {
    Judged &J = Result.emplace_back();
    J.From = &Each;
    if (Each.Verdict.empty())
      continue;
    Expected<json::Value> Record = json::parse(Each.Body);
    if (!Record) {
      consumeError(Record.takeError());
      continue;
    }
    J.Record = std::move(*Record);
    const json::Object *Object = J.Record.getAsObject();
    if (!Object)
      continue;
    J.Known = Each.Verdict != nameOf(Verdict::Unjudged);
    J.Compiled = Object->getBoolean("compiled").value_or(false);
    J.Correct = Object->getBoolean("correct").value_or(false);
    J.Clean = J.Compiled && Object->getBoolean("safe").value_or(false);
    J.Safe = J.Correct && J.Clean;
    J.Score = Each.Score;
    if (const json::Object *Time = Object->getObject("time"))
      J.Speedup = Time->getNumber("speedup").value_or(0);
    if (const json::Array *Problems = Object->getArray("problems"))
      if (!Problems->empty() && Problems->front().getAsObject())
        J.FirstProblem =
            Problems->front().getAsObject()->getString("id").value_or("").str();
  }
  return Result;
}

Standing belay::bench::standingOf(StringRef Name, ArrayRef<const Judged *> Of) {
  Standing S;
  S.Name = Name.str();
  struct PerTask {
    Tally Compile, Pass, Safe;
    double Score = 0;
    std::vector<double> Speedups; // of those that pass
  };
  std::map<std::string, PerTask> Tasks;
  for (const Judged *Each : Of) {
    ++S.Candidates;
    S.Waiting += Each->From->Verdict.empty();
    if (Each->From->Verdict.empty())
      continue;
    // A sample that Belay failed on counts as one that failed: a candidate
    // gains nothing by crashing a compiler.
    S.Unjudged += !Each->Known;
    PerTask &T = Tasks[Each->From->Task];
    for (auto [To, Good] :
         {std::pair(&T.Compile, Each->Compiled),
          std::pair(&T.Pass, Each->Correct), std::pair(&T.Safe, Each->Safe)}) {
      ++To->Samples;
      To->Good += Good;
    }
    T.Score += Each->Score;
    if (Each->Score > 0)
      T.Speedups.push_back(Each->Speedup);
    S.Compiled += Each->Compiled;
    S.Clean += Each->Clean;
    S.Correct += Each->Correct;
    S.Safe += Each->Safe;
    S.Fast += Each->Score > 0 && Each->Speedup >= 1;
  }
  std::vector<Tally> Compile, Pass, Safe;
  std::vector<double> Scores;
  unsigned Most = 0;
  for (const auto &[_, T] : Tasks) {
    Compile.push_back(T.Compile);
    Pass.push_back(T.Pass);
    Safe.push_back(T.Safe);
    Scores.push_back(T.Score / T.Pass.Samples);
    Most = std::max(Most, T.Pass.Samples);
  }
  S.Score = meanOf(Scores);
  for (unsigned K : {1u, 2u, 5u, 10u, 20u, 50u, 100u})
    if (K <= Most)
      S.At.push_back({K, meanPassAtK(Compile, K), meanPassAtK(Pass, K),
                      meanPassAtK(Safe, K)});
  for (double P : {0.5, 0.8, 1.0, 1.2, 1.5, 2.0}) {
    std::vector<double> Shares;
    for (const auto &[_, T] : Tasks)
      Shares.push_back(
          static_cast<double>(count_if(
              T.Speedups, [&](double Speedup) { return Speedup >= P; })) /
          T.Pass.Samples);
    S.Faster.push_back({P, meanOf(Shares)});
  }
  return S;
}

std::vector<Standing>
belay::bench::standingsBy(ArrayRef<Judged> All,
                          const std::function<std::string(const Row &)> &Name) {
  std::map<std::string, std::vector<const Judged *>> Groups;
  for (const Judged &Each : All)
    Groups[Name(*Each.From)].push_back(&Each);
  std::vector<Standing> Result;
  for (const auto &[Key, Group] : Groups)
    Result.push_back(standingOf(Key, Group));
  return Result;
}

void belay::bench::sortByScore(std::vector<Standing> &Standings) {
  llvm::sort(Standings, [](const Standing &A, const Standing &B) {
    return std::tie(B.Score.Value, A.Name) < std::tie(A.Score.Value, B.Name);
  });
}
