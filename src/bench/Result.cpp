//===- Result.cpp - What became of a candidate ----------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Result.h"
#include "report/RunReport.h"
#include "support/DiagnosticError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

static constexpr StringLiteral StageNames[] = {"compile", "check", "run",
                                               "safety", "time"};
static constexpr StringLiteral VerdictNames[] = {
    "passed", "not-compiled", "stopped", "unsafe",
    "wrong",  "impossible",   "unjudged"};

StringRef belay::bench::nameOf(Stage S) {
  return StageNames[static_cast<unsigned>(S)];
}

StringRef belay::bench::nameOf(Verdict V) {
  return VerdictNames[static_cast<unsigned>(V)];
}

std::optional<Verdict> belay::bench::verdictNamed(StringRef Name) {
  const auto *At = find(VerdictNames, Name);
  if (At == std::end(VerdictNames))
    return std::nullopt;
  return static_cast<Verdict>(At - std::begin(VerdictNames));
}

/// Of those that an exit status does not tell apart.
static Fault faultOfFinding(DiagId Id) {
  switch (Id) {
  // Nothing that the device's compiler makes code for.
  case DiagId::BadEntry:
  case DiagId::UnsupportedApi:
  case DiagId::UnsupportedDtype:
    return Fault::NotCompiled;
  // It stops where it would do harm, as it should; but it stops.
  case DiagId::GuardFailed:
  case DiagId::KernelAssert:
  case DiagId::KernelTrap:
    return Fault::Stopped;
  case DiagId::ValueMismatch:
    return Fault::Wrong;
  default:
    return Fault::Unsafe;
  }
}

Fault belay::bench::faultOf(DiagId Id) {
  switch (exitStatusOf(Id)) {
  case ExitStatus::Passed:
    return Fault::None;
  case ExitStatus::Found:
    return faultOfFinding(Id);
  case ExitStatus::BadCase:
    if (Id == DiagId::TimeUnknown)
      return Fault::NotOurs;
    return Id == DiagId::BadBlockCount || Id == DiagId::BadExtent ||
                   Id == DiagId::ExpectsNotMet
               ? Fault::Refused
               : Fault::NotCompiled;
  case ExitStatus::NotCompiled:
    return Fault::NotCompiled;
  case ExitStatus::Stopped:
    return Fault::Stopped;
  case ExitStatus::Failed:
    return Fault::NotOurs;
  }
  return Fault::NotOurs;
}

void Result::charge(Fault What) {
  Judged &= What != Fault::NotOurs;
  Compiled &= What != Fault::NotCompiled;
  Safe &= What != Fault::Unsafe && What != Fault::NotCompiled;
  Correct &= What == Fault::None || What == Fault::Unsafe;
}

Verdict Result::verdict() const {
  if (!Judged)
    return Verdict::Unjudged;
  if (!Compiled)
    return Verdict::NotCompiled;
  bool Stopped = any_of(Problems, [](const Problem &P) {
    return faultOf(P.What.Id) == Fault::Stopped;
  });
  if (Stopped)
    return Verdict::Stopped;
  // What has a finding may be wrong because of it.
  if (!Safe)
    return Verdict::Unsafe;
  if (!Correct)
    return Verdict::Wrong;
  if (Impossible)
    return Verdict::Impossible;
  return Verdict::Passed;
}

double Result::speedup() const {
  return Cycles > 0 ? AnswerCycles / Cycles : 0;
}

double Result::score() const {
  if (verdict() != Verdict::Passed)
    return 0;
  return Timed ? std::min(1.0, speedup()) : 1;
}

json::Object belay::bench::toJson(const Result &R) {
  json::Array Problems, Unknown;
  for (const Problem &Each : R.Problems) {
    json::Object Entry = report::diagnosticToJson(Each.What);
    Entry["stage"] = nameOf(Each.During);
    if (!Each.Case.empty())
      Entry["case"] = Each.Case;
    Problems.push_back(std::move(Entry));
  }
  for (const std::string &Topic : R.Unknown)
    Unknown.push_back(Topic);
  json::Object Time{{"cycles", R.Cycles},        {"low", R.LeastCycles},
                    {"high", R.MostCycles},      {"answer", R.AnswerCycles},
                    {"floor", R.FloorCycles},    {"speedup", R.speedup()},
                    {"impossible", R.Impossible}};
  return json::Object{
      {"schema", Result::Schema},
      {"task", R.Task},
      {"soc", R.Soc},
      {"kind", R.Kind},
      {"verdict", nameOf(R.verdict())},
      {"score", R.score()},
      {"compiled", R.Compiled},
      {"correct", R.Correct},
      {"safe", R.Safe},
      {"sealed", R.Sealed},
      {"sandbox", R.Confined},
      {"cases", json::Object{{"public", R.PublicCases},
                             {"publicRight", R.PublicRight},
                             {"hidden", R.HiddenCases},
                             {"hiddenRight", R.HiddenRight},
                             {"worstError", R.WorstError}}},
      {"schedules", R.Schedules},
      {"timed", R.Timed},
      {"unknown", std::move(Unknown)},
      {"time", std::move(Time)},
      {"messages", json::fixUTF8(R.Messages)},
      {"problems", std::move(Problems)},
  };
}

std::string belay::bench::recordOf(const Result &R) {
  return formatv("{0}", json::Value(toJson(R))).str();
}
