//===- CheckCommand.cpp - belay check -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#include "check/Checker.h"
#include "report/RunReport.h"
#include "report/SarifReport.h"
#include "support/Styling.h"
#include "targets/Target.h"
#include "toolchain/KernelScan.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::check;
using namespace belay::tool;
using namespace belay::support;
using namespace llvm;
using belay::report::CaseResult;
using belay::report::TopicVerdict;

/// Findings as compilers print them, then one line per verdict.
static void printText(const CaseResult &Result, bool Verbose) {
  Styling ErrStyle(errs()), Style(outs());
  for (const belay::support::Diagnostic &Problem : Result.Problems)
    printDiagnostic(errs(), Problem, ErrStyle);
  printExplainHint(errs(), Result.Problems, ErrStyle);
  errs().flush();
  if (Result.Verdicts.empty())
    return;
  outs() << Style.paint(Tone::Strong, Result.Kernel) << " in " << Result.Name
         << '\n';
  for (StringRef Wanted : {"finding", "unknown", "clean", "not asked"}) {
    std::string Topics;
    for (const TopicVerdict &V : Result.Verdicts)
      if (V.Verdict == Wanted)
        Topics += (Topics.empty() ? "" : ", ") + V.Topic;
    if (Topics.empty())
      continue;
    Tone How = Wanted == "finding" ? Tone::Bad
               : Wanted == "clean" ? Tone::Good
                                   : Tone::Strong;
    outs() << "  " << Style.paint(How, Wanted)
           << std::string(10 - Wanted.size(), ' ') << Topics << '\n';
    if (Wanted != "unknown")
      continue;
    for (const TopicVerdict &V : Result.Verdicts) {
      if (V.Verdict != Wanted)
        continue;
      size_t Shown = Verbose ? V.Reasons.size() : 1;
      for (const auto &Reason : ArrayRef(V.Reasons).take_front(Shown)) {
        outs() << "            " << V.Topic << ": ";
        if (Reason.Where.Line)
          outs() << "line " << Reason.Where.Line << ": ";
        outs() << Reason.Message << '\n';
      }
    }
  }
  outs().flush();
}

static int runCheck(const Command &Self, const Arguments &Args) {
  if (Args.Positional.empty())
    return usageError(Self, "no file is given");
  CheckRequest Request;
  if (std::optional<StringRef> Soc = Args.get("soc"))
    Request.Soc = Soc->str();
  const targets::Soc *Soc = targets::findSoc(Request.Soc);
  if (!Soc)
    return usageError(Self, "there is no SoC '" + Request.Soc + "'");
  if (Soc->arch->coverage != targets::Coverage::Simulated)
    return usageError(Self, "kernels for " + Request.Soc +
                                " cannot be checked yet: its architecture is "
                                "not modelled");
  StringRef AutoSync = Args.get("auto-sync").value_or("on");
  if (AutoSync != "on" && AutoSync != "off")
    return usageError(Self,
                      "--auto-sync takes on or off, not '" + AutoSync + "'");
  Request.CompilerSync = AutoSync == "on";
  StringRef Format = Args.get("format").value_or("text");
  if (Format != "text" && Format != "json" && Format != "sarif")
    return usageError(Self, "--format takes text, json or sarif, not '" +
                                Format + "'");
  Request.Quick = Args.has("quick");
  if (std::optional<StringRef> Effort = Args.get("effort"))
    if (Effort->getAsInteger(10, Request.Effort) || !Request.Effort ||
        Request.Effort > 100)
      return usageError(Self, "--effort takes a number from 1 to 100, not '" +
                                  *Effort + "'");
  for (StringRef Define : Args.getAll("D"))
    Request.Defines.push_back(Define.str());
  for (StringRef Dir : Args.getAll("I"))
    Request.IncludeDirs.push_back(Dir.str());
  for (StringRef Source : Args.getAll("op-host"))
    Request.OpHost.Sources.push_back(Source.str());
  Request.OpHost.Op = Args.get("op").value_or("").str();
  Checker::Options Options;
  if (std::optional<StringRef> Limit = Args.get("time-limit")) {
    unsigned Seconds = 0;
    if (Limit->getAsInteger(10, Seconds) || !Seconds)
      return usageError(Self, "--time-limit takes whole seconds, not '" +
                                  *Limit + "'");
    Options.Timeout = std::chrono::seconds(Seconds);
  }
  if (Args.has("no-cache"))
    Options.Compiler.CacheRoot.clear();
  Options.Compiler.Verbose = false;
  std::vector<SourceText> Sources;
  for (StringRef Name : Args.Positional) {
    Expected<SourceText> Source = readInput(Name);
    if (!Source)
      return reportError(Source.takeError());
    if (toolchain::usesKernelLanguage(Source->Text))
      return usageError(Self, "'" + Source->Name +
                                  "' is written in the kernel language, which "
                                  "'belay build' proves");
    Sources.push_back(std::move(*Source));
  }

  Expected<Checker> TheChecker = Checker::create(Options);
  if (!TheChecker)
    return reportError(TheChecker.takeError());
  std::vector<CaseResult> Results;
  for (auto [Named, Source] : zip_equal(Args.Positional, Sources)) {
    Request.Source = Source.Name;
    Request.Text.reset();
    if (Named == "-")
      Request.Text = std::move(Source.Text);
    check::Report Found = TheChecker->check(Request);
    errs() << Found.Messages;
    for (CaseResult &Result : toResults(Found, Source.Name)) {
      if (Format == "text")
        printText(Result, Args.has("v"));
      Results.push_back(std::move(Result));
    }
  }
  if (Format == "json")
    report::printJson(outs(), Results);
  else if (Format == "sarif")
    report::printSarif(outs(), Results, BELAY_VERSION);
  return static_cast<int>(exitStatusOf(ArrayRef(Results)));
}

static constexpr Option Options[] = {
    {"soc", "NAME", "the target; default Ascend910B3 (see 'belay targets')"},
    {"auto-sync", "on|off", "whether bisheng inserts its flags; default on"},
    {"quick", "",
     "follow one path only: entry point, capacity, and what\n"
     "that path shows"},
    {"effort", "N",
     "follow N times as many paths as usual, up to 100, and\n"
     "longer ones"},
    {"D", "NAME[=VALUE]", "define a macro"},
    {"I", "DIR", "search headers here"},
    {"op-host", "FILE",
     "the operator's host code, for its tiling structures and\n"
     "types; runs in a child process"},
    {"op", "NAME", "the operator, if the host code defines several"},
    {"time-limit", "SECONDS", "for each file; default 60"},
    {"no-cache", "", "do without precompiled headers"},
    {"format", "text|json|sarif", "json, or SARIF 2.1.0: one object on stdout"},
    {"v", "", "show every reason for an unknown verdict"},
};

namespace belay::tool {
extern const Command CheckCommand;
const Command CheckCommand = {
    "check",
    "find mistakes in AscendC without running it",
    "KERNEL.cpp...|- [OPTIONS]",
    R"(
Reads any AscendC C++, follows the paths through each of its kernels with terms
for what only the launch knows, and says what is wrong with it: the entry point,
order between and inside pipes, flags, queues, capacity, alignment, bounds,
overflow, values that nobody wrote, cores that touch each other's bytes.

Each topic gets one of three verdicts: finding, clean, or unknown with a reason.
A comment '// belay: allow ID reason' at a line, or alone on the line before,
silences the finding ID there.

The file, or standard input for -, is read by a child process under limits.
)",
    Options,
    R"(
belay check add_custom.cpp --soc Ascend310P3
belay check *.cpp --quick --format sarif
)",
    runCheck,
};
} // namespace belay::tool
