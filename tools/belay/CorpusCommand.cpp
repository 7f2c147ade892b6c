//===- CorpusCommand.cpp - belay corpus -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "CorpusReport.h"

#include "corpus/Score.h"
#include "report/RunReport.h"
#include "support/Resources.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::corpus;
using namespace belay::tool;
using namespace llvm;
using belay::support::Diagnostic;
using belay::support::Styling;
using belay::support::Tone;

/// One line on a terminal that says how far the run is.
namespace {
class Progress {
public:
  Progress(raw_ostream &OS, size_t Total, bool Wanted)
      : OS(OS), Total(Total), Shown(Wanted && OS.is_displayed()) {}
  ~Progress() { clear(); }

  void step(StringRef What) {
    ++Done;
    if (!Shown)
      return;
    clear();
    OS << formatv("{0}/{1} {2}", Done, Total, What.take_front(60));
    OS.flush();
  }
  void clear() {
    if (Shown)
      OS << "\r\033[K";
  }

private:
  raw_ostream &OS;
  size_t Total, Done = 0;
  bool Shown;
};
} // namespace

/// A folder that came with belay, by its real name: reports show it.
static std::string ownFolder(StringRef Name) {
  std::string Path = belay::support::getSharePath(Name);
  SmallString<128> Real;
  return sys::fs::real_path(Path, Real) ? Path : Real.str().str();
}

static Expected<std::vector<Pattern>> readPatterns(const Arguments &Args) {
  std::string Root = Args.Positional.empty() ? ownFolder("corpus")
                                             : Args.Positional.front().str();
  Expected<std::vector<Pattern>> All = readCorpus(Root);
  if (!All)
    return All.takeError();
  std::vector<StringRef> Ids = Args.getAll("id"),
                         Classes = Args.getAll("class");
  auto Same = [](StringRef A) {
    return [A](StringRef B) { return A.equals_insensitive(B); };
  };
  std::vector<Pattern> Chosen;
  for (Pattern &P : *All)
    if ((Ids.empty() || any_of(Ids, Same(P.Id))) &&
        (Classes.empty() || any_of(Classes, Same(P.Class))))
      Chosen.push_back(std::move(P));
  if (Chosen.empty())
    return createStringError("no pattern has this id and class; 'belay corpus' "
                             "lists them");
  return Chosen;
}

static Expected<std::vector<Trial>> makeTrials(ArrayRef<Pattern> Patterns,
                                               const Arguments &Args) {
  uint32_t Arch = 0;
  if (std::optional<StringRef> Text = Args.get("arch"))
    if (Text->getAsInteger(10, Arch) || socOf(Arch).empty())
      return createStringError(
          formatv("--arch takes 2002, 2201 or 3510, not '{0}'", *Text));
  std::vector<Trial> Trials;
  for (const Pattern &P : Patterns) {
    Expected<std::vector<Trial>> Some = trialsOf(P, Arch);
    if (!Some)
      return Some.takeError();
    append_range(Trials, *Some);
  }
  if (Args.has("examples")) {
    Expected<std::vector<Trial>> Some =
        readExamples(ownFolder("examples/ascendc"), Arch);
    if (!Some)
      return Some.takeError();
    append_range(Trials, *Some);
  }
  return Trials;
}

/// Everything that was said of one trial, as `belay run` says it.
static void printTrial(const Trial &T, const report::CaseResult &Result) {
  Styling Style(outs());
  std::string Name = T.str();
  outs() << Style.paint(Tone::Strong, Name) << '\n';
  for (const Diagnostic &Problem : Result.Problems)
    printDiagnostic(outs(), Problem, Style);
  if (Result.passed())
    outs() << "nothing to report\n";
  outs() << '\n';
}

/// Measures the sanitizer or the static check.
static int runScored(const Command &Self, const Arguments &Args,
                     ArrayRef<Pattern> Patterns, Checked How) {
  Expected<std::vector<Trial>> Trials = makeTrials(Patterns, Args);
  if (!Trials)
    return reportError(Trials.takeError());
  RunOptions Options;
  if (std::optional<StringRef> Jobs = Args.get("jobs"))
    if (Jobs->getAsInteger(10, Options.Jobs))
      return usageError(Self,
                        "--jobs takes a whole number, not '" + *Jobs + "'");
  // Cores one after the other: which side of a race between cores comes first
  // is then the same in every run.
  Options.Runner.Slots = 1;
  Options.Runner.PrintToStderr = true;
  Progress Bar(errs(), Trials->size(), !Args.has("v"));
  Options.OnResult = [&](size_t Index, const report::CaseResult &Result) {
    Bar.step((*Trials)[Index].str());
  };
  Expected<std::vector<report::CaseResult>> Results =
      How == Checked::ByReading ? checkTrials(*Trials, Options)
                                : runTrials(*Trials, Options);
  Bar.clear();
  if (!Results)
    return reportError(Results.takeError());
  Expected<Scoreboard> Board = score(*Trials, *Results, How);
  if (!Board)
    return reportError(Board.takeError());

  if (Args.has("v") && !Args.has("json"))
    for (const auto &[T, Result] : zip_equal(*Trials, *Results))
      printTrial(T, Result);
  if (Args.has("json"))
    printScoreJson(outs(), *Board);
  else
    printScore(outs(), *Board);
  return Board->perfect() ? ExitSuccess : ExitFailure;
}

/// Every kernel twice: under the sanitizer, and in random orders.
static int runOrders(const Command &Self, const Arguments &Args,
                     ArrayRef<Pattern> Patterns) {
  Expected<std::vector<Trial>> Trials = makeTrials(Patterns, Args);
  if (!Trials)
    return reportError(Trials.takeError());
  // What was not written for a target tells nothing about it.
  erase_if(*Trials, [](const Trial &T) { return T.Foreign; });
  RunOptions Options;
  unsigned Count = 0;
  if (Args.get("schedules")->getAsInteger(10, Count) || !Count)
    return usageError(Self, "--schedules takes a number above 0");
  if (std::optional<StringRef> Jobs = Args.get("jobs"))
    if (Jobs->getAsInteger(10, Options.Jobs))
      return usageError(Self,
                        "--jobs takes a whole number, not '" + *Jobs + "'");
  Options.Runner.Slots = 1;
  Options.Runner.PrintToStderr = true;
  Progress Bar(errs(), 2 * Trials->size(), true);
  Options.OnResult = [&](size_t Index, const report::CaseResult &Result) {
    Bar.step((*Trials)[Index].str());
  };
  auto Checked = runTrials(*Trials, Options);
  if (!Checked)
    return reportError(Checked.takeError());
  for (Trial &T : *Trials)
    T.Case.Check = false;
  Options.Runner.Orders.Count = Count;
  auto Reordered = runTrials(*Trials, Options);
  Bar.clear();
  if (!Reordered)
    return reportError(Reordered.takeError());
  OrderBoard Board = compareOrders(*Trials, *Checked, *Reordered);
  printOrders(outs(), Board);
  return Board.holds() ? ExitSuccess : ExitFailure;
}

static int runCorpus(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() > 1)
    return usageError(Self, "one folder, please");
  Expected<std::vector<Pattern>> Patterns = readPatterns(Args);
  if (!Patterns)
    return reportError(Patterns.takeError());
  if (Args.has("dynamic"))
    return runScored(Self, Args, *Patterns, Checked::ByRunning);
  if (Args.has("static"))
    return runScored(Self, Args, *Patterns, Checked::ByReading);
  if (Args.has("schedules"))
    return runOrders(Self, Args, *Patterns);
  if (Args.has("markdown"))
    printCorpusMarkdown(outs(), *Patterns);
  else
    printPatterns(outs(), *Patterns);
  return ExitSuccess;
}

static constexpr Option Options[] = {
    {"dynamic", "", "run the kernels under the sanitizer and score it"},
    {"static", "", "only read the kernels, and score 'belay check'"},
    {"schedules", "N",
     "run them in N random legal orders of the pipes, and hold the\n"
     "results against what the sanitizer says"},
    {"class", "CLASS", "only this class; may be repeated"},
    {"id", "ID", "only this pattern, as V6.1; may be repeated"},
    {"arch", "ARCH", "only on 2002, 2201 or 3510"},
    {"examples", "", "also run the examples, which are all right"},
    {"jobs", "N", "kernels that run at once; default one per CPU"},
    {"json", "", "the score as one JSON object"},
    {"markdown", "", "the table of docs/corpus.md"},
    {"v", "", "show everything that was reported"},
};

namespace belay::tool {
extern const Command CorpusCommand;
const Command CorpusCommand = {
    "corpus",
    "measure the sanitizer and the static check on labelled kernels",
    "[DIR] [OPTIONS]",
    R"(
The corpus holds small AscendC kernels with one defect each, the same kernels
fixed with one edit, and right kernels that look wrong. Without an option the
command lists them.

With --dynamic each kernel runs on every architecture of its label. A pattern
counts as found if the expected diagnostic stands at the marked line; whatever
is said of a right kernel is a false alarm. With --static the sources are checked
instead, and the label is what a reader could know. The exit status is 0 if everything
is found and there is no false alarm.
)",
    Options,
    R"(
belay corpus --dynamic
belay corpus --dynamic --class missing-sync --arch 2201
belay corpus --dynamic --id V6.1 -v
belay corpus --static
)",
    runCorpus,
};
} // namespace belay::tool
