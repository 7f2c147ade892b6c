//===- Report.cpp - Results for people and for programs -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Report.h"
#include "bench/Standing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace belay::bench;

/// Quoted where a comma, a quote or the end of a line would end the field.
static std::string field(StringRef Text) {
  if (Text.find_first_of(",\"\r\n") == StringRef::npos)
    return Text.str();
  std::string Quoted = "\"";
  for (char C : Text) {
    if (C == '"')
      Quoted += '"';
    Quoted += C;
  }
  return Quoted + '"';
}

std::string belay::bench::formatCsv(ArrayRef<Row> Rows) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "model,task,sample,verdict,score,compiled,correct,safe,speedup,"
        "problem,key,path\n";
  for (const Judged &Each : readRows(Rows)) {
    const Row &R = *Each.From;
    OS << field(R.Model) << ',' << field(R.Task) << ',' << field(R.Sample)
       << ',' << (R.Verdict.empty() ? "waiting" : R.Verdict) << ','
       << formatv("{0:f4},{1},{2},{3},{4:f4},", R.Score, Each.Compiled ? 1 : 0,
                  Each.Correct ? 1 : 0, Each.Safe ? 1 : 0, Each.Speedup)
       << field(Each.FirstProblem) << ',' << R.Key << ',' << field(R.Path)
       << '\n';
  }
  return Text;
}

static json::Object estimateToJson(const Estimate &E) {
  return json::Object{
      {"value", E.Value}, {"low", E.Low}, {"high", E.High}, {"tasks", E.Tasks}};
}

static json::Object standingToJson(const Standing &S) {
  json::Array At, Faster;
  for (const Standing::AtK &Each : S.At)
    At.push_back(json::Object{{"k", Each.K},
                              {"compile", estimateToJson(Each.Compile)},
                              {"pass", estimateToJson(Each.Pass)},
                              {"safe", estimateToJson(Each.Safe)}});
  for (const Standing::FastP &Each : S.Faster)
    Faster.push_back(
        json::Object{{"p", Each.P}, {"share", estimateToJson(Each.Share)}});
  return json::Object{{"name", json::fixUTF8(S.Name)},
                      {"candidates", S.Candidates},
                      {"unjudged", S.Unjudged},
                      {"waiting", S.Waiting},
                      {"compiled", S.Compiled},
                      {"correct", S.Correct},
                      {"safe", S.Safe},
                      {"asFastAsTheAnswer", S.Fast},
                      {"score", estimateToJson(S.Score)},
                      {"atK", std::move(At)},
                      {"fast", std::move(Faster)}};
}

std::string belay::bench::formatJson(StringRef Experiment, ArrayRef<Row> Rows) {
  std::vector<Judged> All = readRows(Rows);
  json::Array Models, Results;
  for (const Standing &Each :
       standingsBy(All, [](const Row &R) { return R.Model; }))
    Models.push_back(standingToJson(Each));
  for (Judged &Each : All)
    Results.push_back(json::Object{
        {"key", Each.From->Key},
        {"model", json::fixUTF8(Each.From->Model)},
        {"task", Each.From->Task},
        {"sample", json::fixUTF8(Each.From->Sample)},
        {"digest", Each.From->Digest},
        {"result", std::move(Each.Record)},
    });
  return formatv("{0:1}\n", json::Value(json::Object{
                                {"schema", Result::Schema},
                                {"experiment", json::fixUTF8(Experiment)},
                                {"models", std::move(Models)},
                                {"results", std::move(Results)},
                            }))
      .str();
}

std::string belay::bench::formatText(ArrayRef<Row> Rows) {
  std::string Text;
  raw_string_ostream OS(Text);
  std::vector<Judged> All = readRows(Rows);
  std::vector<Standing> Models =
      standingsBy(All, [](const Row &R) { return R.Model; });
  sortByScore(Models);
  OS << formatv("{0,-20} {1,10} {2,9} {3,8} {4,8} {5,7} {6,16}\n", "model",
                "candidates", "compile@1", "pass@1", "safe@1", "fast_1",
                "score");
  for (const Standing &S : Models) {
    auto At = [&](Estimate Standing::AtK::*Which) {
      return S.At.empty() ? 0.0 : (S.At.front().*Which).Value;
    };
    OS << formatv("{0,-20} {1,10} {2,9:f3} {3,8:f3} {4,8:f3} {5,7:f3} {6,6:f3} "
                  "[{7:f2}, {8:f2}]\n",
                  S.Name.empty() ? "(none)" : S.Name, S.Candidates,
                  At(&Standing::AtK::Compile), At(&Standing::AtK::Pass),
                  At(&Standing::AtK::Safe), S.Faster[2].Share.Value,
                  S.Score.Value, S.Score.Low, S.Score.High);
    if (S.Unjudged)
      OS << formatv("{0,20} {1} of them are not judged, and count as failed\n",
                    "", S.Unjudged);
    if (S.Waiting)
      OS << formatv("{0,20} {1} of them wait, and do not count\n", "",
                    S.Waiting);
  }
  return Text;
}
