//===- CheckCommand.cpp - belay check -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#define BELAY_OPTIONS "options/Check.inc"
#include "OptionTable.h"

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

static void printNotes(StringRef Topic, ArrayRef<DiagNote> Notes) {
  for (const DiagNote &Note : Notes) {
    outs() << "            " << Topic << ": ";
    if (Note.Where.Line)
      outs() << "line " << Note.Where.Line << ": ";
    outs() << Note.Message << '\n';
  }
}

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
  for (StringRef Wanted :
       {"finding", "unknown", "clean if", "silenced", "clean", "not asked"}) {
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
    if (Wanted != "unknown" && Wanted != "clean if")
      continue;
    for (const TopicVerdict &V : Result.Verdicts)
      if (V.Verdict == Wanted) {
        // One reason will do; of conditions, all have to hold.
        printNotes(V.Topic, ArrayRef(V.Reasons).take_front(
                                Verbose ? V.Reasons.size() : 1));
        printNotes(V.Topic, V.Conditions);
      }
  }
  outs().flush();
}

namespace {
/// The command line, taken apart.
struct Wanted {
  CheckRequest Request;
  Checker::Options Options;
  StringRef Format = "text";
  bool Verbose = false, FailOnUnknown = false;
};
} // namespace

/// Applies one option; says what is wrong with it, or "".
static std::string apply(const Arguments::OptionValue &Each, Wanted &To) {
  auto Bad = [&](StringRef Takes) {
    return (Each.Name + " takes " + Takes + ", not '" + Each.Value + "'").str();
  };
  std::string Value = Each.Value.str();
  switch (static_cast<Opt>(Each.Id)) {
  case Opt::soc:
    To.Request.Soc = std::move(Value);
    break;
  case Opt::auto_sync:
    if (Value != "on" && Value != "off")
      return Bad("on or off");
    To.Request.CompilerSync = Value == "on";
    break;
  case Opt::quick:
    To.Request.Quick = true;
    break;
  case Opt::effort:
    if (Each.Value.getAsInteger(10, To.Request.Effort) || !To.Request.Effort ||
        To.Request.Effort > 100)
      return Bad("a number from 1 to 100");
    break;
  case Opt::D:
    To.Request.Defines.push_back(std::move(Value));
    break;
  case Opt::I:
    To.Request.IncludeDirs.push_back(std::move(Value));
    break;
  case Opt::op_host:
    To.Request.OpHost.Sources.push_back(std::move(Value));
    break;
  case Opt::op:
    To.Request.OpHost.Op = std::move(Value);
    break;
  case Opt::time_limit: {
    unsigned Seconds = 0;
    if (Each.Value.getAsInteger(10, Seconds) || !Seconds)
      return Bad("whole seconds");
    To.Options.allow(std::chrono::seconds(Seconds));
    break;
  }
  case Opt::ignore_allow:
    To.Request.IgnoreAllowances = true;
    break;
  case Opt::sandbox:
    To.Options.Compiler.Sandbox = true;
    break;
  case Opt::no_cache:
    To.Options.Compiler.CacheRoot.clear();
    break;
  case Opt::format:
    if (Value != "text" && Value != "json" && Value != "sarif")
      return Bad("text, json or sarif");
    To.Format = Each.Value;
    break;
  case Opt::fail_on:
    if (Value != "finding" && Value != "unknown")
      return Bad("finding or unknown");
    To.FailOnUnknown = Value == "unknown";
    break;
  case Opt::v:
    To.Verbose = true;
    break;
  }
  return "";
}

static int runCheck(const Command &Self, const Arguments &Args) {
  if (Args.Positional.empty())
    return usageError(Self, "no file is given");
  Wanted Wanted;
  for (const Arguments::OptionValue &Each : Args.Options)
    if (std::string Mistake = apply(Each, Wanted); !Mistake.empty())
      return usageError(Self, Mistake);
  CheckRequest &Request = Wanted.Request;
  const targets::Soc *Soc = targets::findSoc(Request.Soc);
  if (!Soc)
    return usageError(Self, "there is no SoC '" + Request.Soc + "'");
  if (Soc->arch->coverage != targets::Coverage::Simulated)
    return usageError(Self, "kernels for " + Request.Soc +
                                " cannot be checked yet: its architecture is "
                                "not modelled");
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

  Expected<Checker> TheChecker = Checker::create(Wanted.Options);
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
      if (Wanted.Format == "text")
        printText(Result, Wanted.Verbose);
      Results.push_back(std::move(Result));
    }
  }
  if (Wanted.Format == "json")
    report::printJson(outs(), Results);
  else if (Wanted.Format == "sarif")
    report::printSarif(outs(), Results, BELAY_VERSION);
  int Status = toInt(exitStatusOf(ArrayRef(Results)));
  bool AnyUnknown = any_of(Results, [](const CaseResult &Result) {
    return any_of(Result.Verdicts, [](const TopicVerdict &V) {
      return V.Verdict == "unknown" || V.Verdict == "clean if";
    });
  });
  return Wanted.FailOnUnknown && AnyUnknown ? std::max(Status, ExitFailure)
                                            : Status;
}

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
silences the finding ID there; its topic is then silenced instead of clean.

The file, or standard input for -, is read by a child process under limits.
)",
    optionTable,
    R"(
belay check add_custom.cpp --soc Ascend310P3
belay check *.cpp --quick --format sarif
)",
    runCheck,
};
} // namespace belay::tool
