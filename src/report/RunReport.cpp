//===- RunReport.cpp - Results for people and for programs ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/RunReport.h"
#include "report/CountsReport.h"
#include "report/TimeReport.h"
#include "support/Numbers.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace belay::cases;
using namespace belay::report;
using namespace belay::support;

static std::string formatTime(double Seconds) {
  if (Seconds < 1e-3)
    return formatNumber(Seconds * 1e6, 3) + " us";
  if (Seconds < 1)
    return formatNumber(Seconds * 1e3, 3) + " ms";
  return formatNumber(Seconds, 3) + " s";
}

static double medianOf(std::vector<double> Values) {
  if (Values.empty())
    return 0;
  auto Middle = Values.begin() + static_cast<ptrdiff_t>(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

/// "z f16:1024 in [-3.1, 3.4], mean 0.02; matches z.npy (max error 0)"
static std::string describeOutput(const OutputResult &Output) {
  const Statistics &Values = Output.Values;
  if (Values.NeverWritten && Values.NeverWritten == Output.Tensor.elements())
    return formatv("{0} {1}, never written", Output.Name, Output.Tensor.str());
  std::string Text =
      formatv("{0} {1} in [{2}, {3}], mean {4}", Output.Name,
              Output.Tensor.str(), formatNumber(Values.Min, 4),
              formatNumber(Values.Max, 4), formatNumber(Values.Mean, 4));
  if (uint64_t Nan =
          Values.NumNan - std::min(Values.NumNan, Values.NeverWritten))
    Text += formatv(", {0} NaN", Nan);
  if (Values.NumInf)
    Text += formatv(", {0} infinite", Values.NumInf);
  if (Values.NeverWritten)
    Text += formatv(", {0} never written", Values.NeverWritten);
  if (Output.Compared && Output.Compared->passed())
    Text += formatv(", matches {0} (max error {1})", Output.ExpectedPath,
                    formatNumber(Output.Compared->MaxAbsError, 4));
  return Text;
}

void belay::report::printResult(raw_ostream &Out, raw_ostream &Err,
                                const CaseResult &Result) {
  Styling ErrStyle(Err), Style(Out);
  for (const Diagnostic &Problem : Result.Problems)
    printDiagnostic(Err, Problem, ErrStyle);
  printExplainHint(Err, Result.Problems, ErrStyle);
  Err.flush();

  std::string Name = Result.Name;
  if (!Result.Kernel.empty())
    Name += (Name.empty() ? "" : ": ") + Result.Kernel;
  if (!Result.passed()) {
    if (!Result.Name.empty())
      Out << Style.paint(Tone::Bad, "failed") << "  " << Name << '\n';
    return;
  }
  Out << Style.paint(Tone::Good, "passed") << "  "
      << formatv("{0} <{1}> simulated in {2}", Name, Result.Blocks,
                 formatTime(medianOf(Result.KernelSeconds)));
  if (Result.KernelSeconds.size() > 1)
    Out << formatv(" (median of {0})", Result.KernelSeconds.size());
  for (const OutputResult &Output : Result.Outputs)
    Out << (Result.Outputs.size() > 1 ? "\n        " : "  ")
        << describeOutput(Output);
  Out << '\n';
  if (Result.Executed.Known)
    printCounts(Out, Result.Executed);
  if (Result.Time)
    printTime(Out, *Result.Time);
  Out.flush();
}

static json::Object toJson(const SourcePlace &Where) {
  json::Object Place;
  if (!Where.File.empty())
    Place["file"] = Where.File;
  if (Where.Line)
    Place["line"] = Where.Line;
  if (Where.Column)
    Place["column"] = Where.Column;
  return Place;
}

/// What is known of a visitor, beside the place.
static void addVisitor(json::Object &To, const Visitor &Who) {
  if (!Who.Core.empty())
    To["core"] = json::fixUTF8(Who.Core);
  if (Who.Execution)
    To["execution"] = Who.Execution;
}

static json::Object toJson(const OtherSide &Other) {
  json::Object Result = toJson(Other.Where);
  Result["role"] = json::fixUTF8(Other.Role);
  addVisitor(Result, Other.Who);
  return Result;
}

json::Object belay::report::diagnosticToJson(const Diagnostic &Diag) {
  json::Array Notes;
  for (const DiagNote &Note : Diag.Notes) {
    json::Object Each = toJson(Note.Where);
    Each["message"] = json::fixUTF8(Note.Message);
    Notes.push_back(std::move(Each));
  }
  json::Object Result = toJson(Diag.Where);
  Result["id"] = std::string(getName(Diag.Id));
  Result["message"] = json::fixUTF8(Diag.Message);
  Result["severity"] = std::string(nameOf(getInfo(Diag.Id).Level));
  Result["count"] = Diag.Count;
  Result["notes"] = std::move(Notes);
  addVisitor(Result, Diag.Who);
  if (Diag.Other)
    Result["other"] = toJson(*Diag.Other);
  if (!Diag.Buffer.empty())
    Result["buffer"] = json::fixUTF8(Diag.Buffer);
  if (!Diag.Help.empty())
    Result["help"] = json::fixUTF8(Diag.Help);
  if (!Diag.Insert.empty())
    Result["insert"] = json::fixUTF8(Diag.Insert);
  return Result;
}

/// JSON has neither NaN nor infinity.
static json::Value number(double Value) {
  return std::isfinite(Value) ? json::Value(Value) : json::Value(nullptr);
}

static json::Object toJson(const OutputResult &Output) {
  json::Object Result{
      {"name", Output.Name},
      {"type", Output.Tensor.str()},
      {"min", number(Output.Values.Min)},
      {"max", number(Output.Values.Max)},
      {"mean", number(Output.Values.Mean)},
      {"nan", Output.Values.NumNan},
      {"infinite", Output.Values.NumInf},
      {"neverWritten", Output.Values.NeverWritten},
  };
  if (!Output.Path.empty())
    Result["file"] = Output.Path;
  if (const auto &Compared = Output.Compared)
    Result["comparison"] = json::Object{
        {"file", Output.ExpectedPath},
        {"passed", Compared->passed()},
        {"mismatches", Compared->Mismatches},
        {"neverWritten", Compared->NeverWritten},
        {"maxAbsError", number(Compared->MaxAbsError)},
        {"maxRelError", number(Compared->MaxRelError)},
    };
  return Result;
}

static json::Array notesToJson(ArrayRef<DiagNote> Notes) {
  json::Array List;
  for (const DiagNote &Note : Notes) {
    json::Object Each = toJson(Note.Where);
    Each["message"] = json::fixUTF8(Note.Message);
    List.push_back(std::move(Each));
  }
  return List;
}

static json::Object toJson(const TopicVerdict &Verdict) {
  json::Object Result{{"topic", Verdict.Topic},
                      {"verdict", Verdict.Verdict},
                      {"reasons", notesToJson(Verdict.Reasons)}};
  if (!Verdict.Conditions.empty())
    Result["conditions"] = notesToJson(Verdict.Conditions);
  return Result;
}

static json::Object toJson(const LaunchResult &Launch) {
  return json::Object{{"name", json::fixUTF8(Launch.Name)},
                      {"passed", Launch.Passed},
                      {"unmet", notesToJson(Launch.Unmet)}};
}

/// false, or what was enforced.
static json::Value
sandboxToJson(const std::optional<belay::sandbox::Status> &Said) {
  if (!Said || !Said->Started)
    return false;
  return json::Object{{"namespaces", Said->Namespaces != 0},
                      {"systemCalls", Said->SystemCalls != 0},
                      {"landlock", Said->Landlock},
                      {"user", Said->User}};
}

static json::Object toJson(const CaseResult &Case) {
  json::Array Problems, Outputs, Seconds;
  for (const Diagnostic &Problem : Case.Problems)
    Problems.push_back(diagnosticToJson(Problem));
  for (const OutputResult &Output : Case.Outputs)
    Outputs.push_back(toJson(Output));
  for (double Each : Case.KernelSeconds)
    Seconds.push_back(Each);
  if (!Case.Verdicts.empty()) {
    json::Array Verdicts;
    for (const TopicVerdict &Each : Case.Verdicts)
      Verdicts.push_back(toJson(Each));
    json::Object Checked{{"name", json::fixUTF8(Case.Name)},
                         {"kernel", json::fixUTF8(Case.Kernel)},
                         {"passed", Case.passed()},
                         {"problems", std::move(Problems)},
                         {"silenced", Case.Silenced},
                         {"verdicts", std::move(Verdicts)}};
    if (!Case.Launches.empty()) {
      json::Array Launches;
      for (const LaunchResult &Each : Case.Launches)
        Launches.push_back(toJson(Each));
      Checked["launches"] = std::move(Launches);
    }
    return Checked;
  }
  json::Object Result{
      {"name", json::fixUTF8(Case.Name)},
      {"kernel", json::fixUTF8(Case.Kernel)},
      {"blocks", Case.Blocks},
      {"passed", Case.passed()},
      {"sealed", Case.Sealed},
      {"sandbox", sandboxToJson(Case.Confined)},
      {"problems", std::move(Problems)},
      {"outputs", std::move(Outputs)},
      {"fromCache", Case.FromCache},
      {"compileSeconds", Case.CompileSeconds},
      {"kernelSeconds", std::move(Seconds)},
      {"runnerCpuSeconds", Case.RunnerCpuSeconds},
      {"instructions", Case.Instructions},
  };
  if (Case.Executed.Known)
    Result["counts"] = countsToJson(Case.Executed);
  if (Case.Time)
    Result["time"] = timeToJson(*Case.Time);
  if (Case.Proof)
    Result["proof"] = toJson(*Case.Proof);
  return Result;
}

void belay::report::printJson(raw_ostream &Out, ArrayRef<CaseResult> Results) {
  json::Array Cases;
  for (const CaseResult &Result : Results)
    Cases.push_back(toJson(Result));
  ExitStatus Status = exitStatusOf(Results);
  Out << formatv("{0:2}\n", json::Value(json::Object{
                                {"passed", Status == ExitStatus::Passed},
                                {"exitStatus", static_cast<int>(Status)},
                                {"cases", std::move(Cases)},
                            }));
}

void belay::report::printJsonLine(raw_ostream &Out, const CaseResult &Result) {
  Out << formatv("{0}\n", json::Value(toJson(Result)));
}

bool CaseResult::passed() const {
  return all_of(Problems, [](const Diagnostic &Problem) {
    return exitStatusOf(Problem.Id) == ExitStatus::Passed;
  });
}

ExitStatus belay::report::exitStatusOf(ArrayRef<CaseResult> Results) {
  int Gravest = 0;
  for (const CaseResult &Result : Results)
    for (const Diagnostic &Problem : Result.Problems)
      Gravest = std::max(Gravest, static_cast<int>(exitStatusOf(Problem.Id)));
  return static_cast<ExitStatus>(Gravest);
}
