//===- CheckLaunches.cpp - What known launches show -----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckLaunches.h"
#include "LaunchConditions.h"

#include "cases/CaseFile.h"
#include "launch/CaseRunner.h"
#include "report/RunReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::report::CaseResult;
using belay::report::LaunchResult;
using belay::report::TopicVerdict;
using belay::support::Diagnostic;
using belay::support::DiagNote;

Expected<CheckLaunches> CheckLaunches::read(ArrayRef<StringRef> CaseFiles) {
  CheckLaunches Result;
  for (StringRef File : CaseFiles) {
    Expected<std::vector<cases::Case>> Cases = cases::readCaseFile(File);
    if (!Cases)
      return Cases.takeError();
    for (cases::Case &Case : *Cases)
      Result.Launches.push_back(
          {("'" + Case.Name + "' of " + File).str(), std::move(Case)});
  }
  return Result;
}

/// Whether a launch is of this source. One that names none is of any, and text
/// from standard input is of any launch.
static bool isOf(const cases::Case &Case, const std::string &Source,
                 bool FromStdin) {
  return FromStdin || Case.Source.empty() ||
         sys::fs::equivalent(Case.Source, Source);
}

std::string CheckLaunches::findStray(ArrayRef<CheckInput> Files) const {
  for (const KnownLaunch &Each : Launches)
    if (none_of(Files, [&](const CheckInput &File) {
          return isOf(Each.Case, File.Source.Name, File.FromStdin);
        }))
      return Each.Name;
  return "";
}

/// A launch as the check asks for it: of the same text, for the same SoC, under
/// the sanitizer.
static cases::Case asChecked(cases::Case Case,
                             const check::CheckRequest &Request) {
  Case.Source = Request.Source;
  Case.Text = Request.Text;
  Case.Soc = Request.Soc;
  Case.CompilerSync = Request.CompilerSync;
  Case.Check = true;
  append_range(Case.Defines, Request.Defines);
  append_range(Case.IncludeDirs, Request.IncludeDirs);
  if (Request.OpHost.given()) {
    Case.OpHost.Sources = Request.OpHost.Sources;
    Case.OpHost.Op = Request.OpHost.Op;
  }
  return Case;
}

/// What the source allows is not reported of a launch either; how often that
/// was, by topic.
static std::map<check::Topic, unsigned>
takeOutAllowed(std::vector<Diagnostic> &Problems,
               const check::CheckRequest &Request) {
  if (Request.IgnoreAllowances)
    return {};
  check::Report Shown;
  check::KernelReport &Only = Shown.Kernels.emplace_back();
  Only.Findings = std::move(Problems);
  check::applyAllowances(Shown, Request.Source, Request.Text);
  Problems = std::move(Shown.Kernels.front().Findings);
  return Shown.Kernels.front().Silenced;
}

static TopicVerdict *verdictOf(CaseResult &Result, check::Topic Topic) {
  auto At = find_if(Result.Verdicts, [&](const TopicVerdict &V) {
    return V.Topic == check::nameOf(Topic);
  });
  return At == Result.Verdicts.end() ? nullptr : &*At;
}

/// What a launch showed, among the findings of the kernel: one that the source
/// had shown as well only gets the launch's name.
static void addFinding(CaseResult &To, Diagnostic Finding, StringRef Launch) {
  DiagNote Note{{}, ("in the launch " + Launch).str()};
  auto Same = find_if(To.Problems, [&](const Diagnostic &Each) {
    return Each.Id == Finding.Id && Each.Where.File == Finding.Where.File &&
           Each.Where.Line == Finding.Where.Line;
  });
  if (Same != To.Problems.end()) {
    if (none_of(Same->Notes, [](const DiagNote &Each) {
          return StringRef(Each.Message).starts_with("in the launch ");
        }))
      Same->Notes.push_back(std::move(Note));
    return;
  }
  Finding.Notes.push_back(std::move(Note));
  std::optional<check::Topic> Topic = check::topicOf(Finding.Id);
  TopicVerdict *Verdict = Topic ? verdictOf(To, *Topic) : nullptr;
  if (Verdict &&
      exitStatusOf(Finding.Id) != belay::support::ExitStatus::Passed) {
    if (Verdict->Verdict == "clean")
      Finding.Notes.push_back(
          {{},
           "by its source alone, " + Verdict->Topic +
               " is clean under what belay check assumes: if that holds "
               "here, this is an error of Belay"});
    Verdict->Verdict = "finding";
    Verdict->Reasons.clear();
    Verdict->Conditions.clear();
  }
  To.Problems.push_back(std::move(Finding));
}

/// The result of the kernel that was launched; of a kernel of the language, the
/// only one.
static CaseResult *resultOf(std::vector<CaseResult> &Results,
                            StringRef Kernel) {
  auto At = find_if(
      Results, [&](const CaseResult &Each) { return Each.Kernel == Kernel; });
  if (At != Results.end())
    return &*At;
  return Results.size() == 1 ? &Results.front() : nullptr;
}

static void add(CaseResult &To, CaseResult Ran, LaunchResult Launch,
                const check::CheckRequest &Request) {
  for (auto [Topic, Count] : takeOutAllowed(Ran.Problems, Request)) {
    To.Silenced += Count;
    if (TopicVerdict *V = verdictOf(To, Topic);
        V && (V->Verdict == "clean" || V->Verdict == "clean if"))
      V->Verdict = "silenced";
  }
  Launch.Passed = Ran.passed();
  for (Diagnostic &Each : Ran.Problems)
    addFinding(To, std::move(Each), Launch.Name);
  To.Launches.push_back(std::move(Launch));
}

Error CheckLaunches::addTo(std::vector<CaseResult> &Results,
                           const check::Report *Found,
                           const check::CheckRequest &Request, bool Sealed) {
  std::vector<cases::Case> Mine;
  std::vector<std::string> Names;
  for (const KnownLaunch &Each : Launches) {
    if (!isOf(Each.Case, Request.Source, Request.Text.has_value()))
      continue;
    Names.push_back(Each.Name);
    Mine.push_back(asChecked(Each.Case, Request));
  }
  // Of a source that does not compile, nothing can be launched.
  if (Mine.empty() || all_of(Results, [](const CaseResult &Each) {
        return Each.Verdicts.empty();
      }))
    return Error::success();
  launch::CaseRunner::Options Options;
  Options.PrintToStderr = true;
  Options.Sealed = Options.Compiler.Sandbox = Sealed;
  std::vector<Diagnostic> Unmet;
  Options.OnLaunch = [&](const cases::Case &Case, StringRef Kernel,
                         const launch::ArgumentBuffers &Arguments) {
    if (Found)
      Unmet = unmetConditions(*Found, Case, Kernel, Arguments);
    return std::vector<Diagnostic>();
  };
  Expected<launch::CaseRunner> Runner =
      launch::CaseRunner::create(Mine, Options);
  if (!Runner)
    return Runner.takeError();
  for (auto [Case, Name] : zip_equal(Mine, Names)) {
    Unmet.clear();
    CaseResult Ran = Runner->run(Case);
    CaseResult *To = resultOf(Results, Ran.Kernel);
    if (!To) {
      To = &Results.emplace_back();
      To->Name = Request.Source;
      To->Kernel = Ran.Kernel;
    }
    LaunchResult Launch;
    Launch.Name = Name;
    for (const Diagnostic &Each : Unmet)
      Launch.Unmet.push_back({Each.Where, Each.Message});
    add(*To, std::move(Ran), std::move(Launch), Request);
  }
  return Error::success();
}
