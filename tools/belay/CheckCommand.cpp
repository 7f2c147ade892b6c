//===- CheckCommand.cpp - belay check -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Baseline.h"
#include "CheckFile.h"
#include "CheckInputs.h"
#include "CheckLaunches.h"
#include "CheckText.h"
#include "Command.h"
#include "TargetsCommand.h"

#define BELAY_OPTIONS "options/Check.inc"
#include "OptionTable.h"

#include "check/Checker.h"
#include "report/RunReport.h"
#include "report/SarifReport.h"
#include "support/Files.h"
#include "support/Styling.h"
#include "targets/Target.h"
#include "toolchain/KernelScan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::check;
using namespace belay::tool;
using namespace belay::support;
using namespace llvm;
using belay::report::CaseResult;
using belay::report::LaunchResult;
using belay::report::TopicVerdict;

/// How many launches ran without a finding, and which do not meet a condition.
static void printLaunches(ArrayRef<LaunchResult> Launches,
                          ArrayRef<TopicVerdict> Verdicts,
                          const Styling &Style) {
  if (Launches.empty())
    return;
  size_t Passed =
      count_if(Launches, [](const LaunchResult &Each) { return Each.Passed; });
  outs() << "  " << Style.paint(Tone::Strong, "launches") << "  " << Passed
         << " of " << Launches.size() << " ran without a finding";
  bool Requested = any_of(
      Verdicts, [](const TopicVerdict &V) { return !V.Conditions.empty(); });
  if (Requested && all_of(Launches, [](const LaunchResult &Each) {
        return Each.Passed && Each.Unmet.empty();
      }))
    outs() << " and met all conditions";
  outs() << '\n';
  for (const LaunchResult &Each : Launches)
    printNotes("not met in " + Each.Name, Each.Unmet);
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
    std::vector<const TopicVerdict *> Of;
    for (const TopicVerdict &V : Result.Verdicts)
      if (V.Verdict == Wanted)
        Of.push_back(&V);
    printReasons(Of, Verbose);
  }
  printLaunches(Result.Launches, Result.Verdicts, Style);
  outs().flush();
}

namespace {
/// The command line, taken apart.
struct Wanted {
  CheckRequest Request;
  Checker::Options Options;
  StringRef Format = "text";
  bool Verbose = false, Fix = false;
  bool FailOnUnknown = false, FailOnConditions = false;
  std::optional<StringRef> Build, Baseline, WriteBaseline;
  std::vector<StringRef> CaseFiles;
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
  case Opt::pto:
    To.Request.Pto = true;
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
  case Opt::p:
    To.Build = Each.Value;
    break;
  case Opt::fix:
    To.Fix = true;
    break;
  case Opt::baseline:
    To.Baseline = Each.Value;
    break;
  case Opt::write_baseline:
    To.WriteBaseline = Each.Value;
    break;
  case Opt::op_host:
    To.Request.OpHost.Sources.push_back(std::move(Value));
    break;
  case Opt::op:
    To.Request.OpHost.Op = std::move(Value);
    break;
  case Opt::launches:
    To.CaseFiles.push_back(Each.Value);
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
    if (Value != "finding" && Value != "unknown" && Value != "conditions")
      return Bad("finding, unknown or conditions");
    To.FailOnUnknown = Value != "finding";
    To.FailOnConditions = Value == "conditions";
    break;
  case Opt::v:
    To.Verbose = true;
    break;
  }
  return "";
}

/// Writes what --fix makes of a file, and goes on with that.
static Error fix(Checker &TheChecker, const CheckRequest &Request,
                 CheckInput &File) {
  Fixed Made = fixFile(TheChecker, Request, File);
  if (!Made.NumFixes)
    return Error::success();
  if (Error E = writeFile(File.Source.Name, toBytes(Made.Text)))
    return E;
  errs() << File.Source.Name << ": " << Made.NumFixes
         << (Made.NumFixes == 1 ? " fix" : " fixes") << " inserted\n";
  File.Source.Text = std::move(Made.Text);
  return Error::success();
}

static bool hasOpenTopic(const CaseResult &Result, bool Conditions) {
  return any_of(Result.Verdicts, [&](const TopicVerdict &V) {
    return V.Verdict == "unknown" || (Conditions && V.Verdict == "clean if");
  });
}

static void printAll(ArrayRef<CaseResult> Results, StringRef Format) {
  if (Format == "json")
    report::printJson(outs(), Results);
  else if (Format == "sarif")
    report::printSarif(outs(), Results, BELAY_VERSION);
}

/// Checks the files, one after another. Text is shown as it comes.
static Expected<std::vector<CaseResult>>
checkAll(const Wanted &Wanted, CheckInputs &Inputs, CheckLaunches &Launches,
         Baseline *Known, Baseline *All) {
  Expected<Checker> TheChecker = Checker::create(Wanted.Options);
  if (!TheChecker)
    return TheChecker.takeError();
  std::vector<CaseResult> Results;
  for (CheckInput &File : Inputs.Files) {
    if (Wanted.Fix)
      if (Error E = fix(*TheChecker, Wanted.Request, File))
        return std::move(E);
    CheckedFile Checked = checkFile(*TheChecker, Wanted.Request, File);
    if (Checked.Found)
      errs() << Checked.Found->Messages;
    if (Error E = Launches.addTo(
            Checked.Results, Checked.Found ? &*Checked.Found : nullptr,
            Checked.Request, Wanted.Options.Compiler.Sandbox))
      return std::move(E);
    for (CaseResult &Result : Checked.Results) {
      if (All)
        All->add(Result);
      if (Known)
        Known->silence(Result);
      if (Wanted.Format == "text")
        printText(Result, Wanted.Verbose);
      Results.push_back(std::move(Result));
    }
  }
  return Results;
}

/// What the files have to be like for the options, or "".
static std::string findMistake(const Wanted &Wanted, const Arguments &Args) {
  if (Args.Positional.empty() && !Wanted.Build)
    return "no file is given";
  if (Wanted.Request.Pto &&
      (Wanted.Fix || Wanted.Build || Wanted.Request.Quick))
    return "--pto goes with neither --fix, --quick nor -p";
  if (!Wanted.CaseFiles.empty() && (Wanted.Request.Pto || Wanted.Request.Quick))
    return "--launches goes with neither --pto nor --quick";
  if (Wanted.Fix && is_contained(Args.Positional, "-"))
    return "--fix writes to files, which standard input is not";
  return mistakeInSoc(Wanted.Request.Soc);
}

static int runCheck(const Command &Self, const Arguments &Args) {
  Wanted Wanted;
  for (const Arguments::OptionValue &Each : Args.Options)
    if (std::string Mistake = apply(Each, Wanted); !Mistake.empty())
      return usageError(Self, Mistake);
  if (std::string Mistake = findMistake(Wanted, Args); !Mistake.empty())
    return usageError(Self, Mistake);
  std::optional<toolchain::CompileCommands> Build;
  if (Wanted.Build) {
    auto Read = toolchain::CompileCommands::read(*Wanted.Build);
    if (!Read)
      return reportError(Read.takeError());
    Build = std::move(*Read);
  }
  std::optional<Baseline> Known, All;
  if (Wanted.Baseline) {
    Expected<Baseline> Read = Baseline::read(*Wanted.Baseline);
    if (!Read)
      return reportError(Read.takeError());
    Known = std::move(*Read);
  }
  if (Wanted.WriteBaseline)
    All.emplace();
  Expected<CheckInputs> Inputs =
      collectInputs(Args.Positional, Build ? &*Build : nullptr);
  if (!Inputs)
    return reportError(Inputs.takeError());
  // Nothing was checked, which is not what clean means.
  if (Inputs->Files.empty())
    return usageError(Self, "none of " + Twine(Inputs->WithoutKernels) +
                                " sources has a kernel");
  Expected<CheckLaunches> Launches = CheckLaunches::read(Wanted.CaseFiles);
  if (!Launches)
    return reportError(Launches.takeError());
  if (std::string Stray = Launches->findStray(Inputs->Files); !Stray.empty())
    return usageError(Self, "the launch " + Stray + " is of none of the files");
  auto Results = checkAll(Wanted, *Inputs, *Launches, Known ? &*Known : nullptr,
                          All ? &*All : nullptr);
  if (!Results)
    return reportError(Results.takeError());
  printAll(*Results, Wanted.Format);
  if (Inputs->WithoutKernels)
    errs() << Inputs->WithoutKernels
           << " sources without kernels were left out\n";
  if (Known && Known->numSilenced())
    errs() << Known->numSilenced() << " findings are in the baseline\n";
  int Status = toInt(exitStatusOf(ArrayRef(*Results)));
  if (All) {
    if (Error E = All->write(*Wanted.WriteBaseline))
      return reportError(std::move(E));
    return Status == ExitFailure ? ExitSuccess : Status;
  }
  auto IsOpen = [&](const CaseResult &Each) {
    return hasOpenTopic(Each, Wanted.FailOnConditions);
  };
  return Wanted.FailOnUnknown && any_of(*Results, IsOpen)
             ? std::max(Status, ExitFailure)
             : Status;
}

namespace belay::tool {
extern const Command CheckCommand;
const Command CheckCommand = {
    "check",
    "find mistakes in kernels without running them",
    "KERNEL.cpp...|DIR...|- [OPTIONS]",
    R"(
Reads any AscendC C++, follows the paths through each of its kernels with terms
for what only the launch knows, and says what is wrong with it: the entry point,
order between and inside pipes, flags, queues, capacity, alignment, bounds,
overflow, values that nobody wrote, cores that touch each other's bytes.

Each topic gets one of these verdicts: finding, clean, clean if the launch meets
conditions, or unknown with a reason.
A comment '// belay: allow ID reason' at a line, or alone on the line before,
silences the finding ID there; its topic is then silenced instead of clean.

Kernels of the kernel language are proven, those that are no templates: one topic,
clean if all is proven.

With --pto the files are PTO-MLIR, as PyPTO, TileLang or 'belay build --emit pto'
write it, or as ptoas shows it after it inserted flags: capacity, alignment, flags
and order are asked, and the rest is unknown.

What the source does not show, a launch may: --launches runs those of a case file
(as 'belay run' takes it) under the sanitizer, and their findings are the kernel's.

Of a folder, all sources below it are checked that have kernels. A file, or standard
input for -, is read by a child process under limits.
)",
    optionTable,
    R"(
belay check add_custom.cpp --soc Ascend310P3
belay check *.cpp --quick --format sarif
belay check --pto softmax.pto              # are its flags sufficient, does it fit?
belay check -p build/                      # all kernels of a CMake project
belay check add.cpp --launches cases.json  # and what these launches show
belay check kernels/ --fix                 # insert the flags that are missing
belay check kernels/ --write-baseline known.json
belay check kernels/ --baseline known.json # only what is new
)",
    runCheck,
};
} // namespace belay::tool
