//===- CorpusCommand.cpp - belay corpus -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"

#define BELAY_OPTIONS "options/Corpus.inc"
#include "CorpusReport.h"
#include "OptionTable.h"

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

namespace {
enum class Task { List, Markdown, Dynamic, Static, Orders };

/// The command line, taken apart.
struct Wanted {
  std::string Root;
  Task What = Task::List;
  std::vector<StringRef> Ids, Classes;
  uint32_t Arch = 0; ///< 0 for all.
  unsigned Schedules = 0;
  RunOptions Run;
  bool Examples = false, Json = false, Verbose = false;
};
} // namespace

/// Applies one option; says what is wrong with it, or "".
static std::string apply(const Arguments::OptionValue &Each, Wanted &To) {
  auto Bad = [&](StringRef Takes) {
    return (Each.Name + " takes " + Takes + ", not '" + Each.Value + "'").str();
  };
  switch (static_cast<Opt>(Each.Id)) {
  case Opt::dynamic:
    To.What = Task::Dynamic;
    break;
  case Opt::static_:
    To.What = Task::Static;
    break;
  case Opt::schedules:
    if (Each.Value.getAsInteger(10, To.Schedules) || !To.Schedules)
      return Bad("a number above 0");
    To.What = Task::Orders;
    break;
  case Opt::markdown:
    To.What = Task::Markdown;
    break;
  case Opt::class_:
    To.Classes.push_back(Each.Value);
    break;
  case Opt::id:
    To.Ids.push_back(Each.Value);
    break;
  case Opt::arch:
    if (Each.Value.getAsInteger(10, To.Arch) || socOf(To.Arch).empty())
      return Bad("2002, 2201 or 3510");
    break;
  case Opt::examples:
    To.Examples = true;
    break;
  case Opt::jobs:
    if (Each.Value.getAsInteger(10, To.Run.Jobs))
      return Bad("a whole number");
    break;
  case Opt::json:
    To.Json = true;
    break;
  case Opt::v:
    To.Verbose = true;
    break;
  }
  return "";
}

static Expected<std::vector<Pattern>> readPatterns(const Wanted &Wanted) {
  Expected<std::vector<Pattern>> All = readCorpus(Wanted.Root);
  if (!All)
    return All.takeError();
  const std::vector<StringRef> &Ids = Wanted.Ids, &Classes = Wanted.Classes;
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
                                               const Wanted &Wanted) {
  std::vector<Trial> Trials;
  for (const Pattern &P : Patterns) {
    Expected<std::vector<Trial>> Some = trialsOf(P, Wanted.Arch);
    if (!Some)
      return Some.takeError();
    append_range(Trials, *Some);
  }
  if (Wanted.Examples) {
    Expected<std::vector<Trial>> Some =
        readExamples(ownFolder("examples/ascendc"), Wanted.Arch);
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
static int runScored(const Wanted &Wanted, ArrayRef<Pattern> Patterns,
                     Checked How) {
  Expected<std::vector<Trial>> Trials = makeTrials(Patterns, Wanted);
  if (!Trials)
    return reportError(Trials.takeError());
  RunOptions Options = Wanted.Run;
  // Cores one after the other: which side of a race between cores comes first
  // is then the same in every run.
  Options.Runner.Slots = 1;
  Options.Runner.PrintToStderr = true;
  Progress Bar(errs(), Trials->size(), !Wanted.Verbose);
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

  if (Wanted.Verbose && !Wanted.Json)
    for (const auto &[T, Result] : zip_equal(*Trials, *Results))
      printTrial(T, Result);
  if (Wanted.Json)
    printScoreJson(outs(), *Board);
  else
    printScore(outs(), *Board);
  return Board->perfect() ? ExitSuccess : ExitFailure;
}

/// Every kernel twice: under the sanitizer, and in random orders.
static int runOrders(const Wanted &Wanted, ArrayRef<Pattern> Patterns) {
  Expected<std::vector<Trial>> Trials = makeTrials(Patterns, Wanted);
  if (!Trials)
    return reportError(Trials.takeError());
  // What was not written for a target tells nothing about it.
  erase_if(*Trials, [](const Trial &T) { return T.Foreign; });
  RunOptions Options = Wanted.Run;
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
  Options.Runner.Orders.Count = Wanted.Schedules;
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
  Wanted Wanted;
  for (const Arguments::OptionValue &Each : Args.Options)
    if (std::string Mistake = apply(Each, Wanted); !Mistake.empty())
      return usageError(Self, Mistake);
  Wanted.Root = Args.Positional.empty() ? ownFolder("corpus")
                                        : Args.Positional.front().str();
  Expected<std::vector<Pattern>> Patterns = readPatterns(Wanted);
  if (!Patterns)
    return reportError(Patterns.takeError());
  switch (Wanted.What) {
  case Task::Dynamic:
    return runScored(Wanted, *Patterns, Checked::ByRunning);
  case Task::Static:
    return runScored(Wanted, *Patterns, Checked::ByReading);
  case Task::Orders:
    return runOrders(Wanted, *Patterns);
  case Task::Markdown:
    printCorpusMarkdown(outs(), *Patterns);
    break;
  case Task::List:
    printPatterns(outs(), *Patterns);
    break;
  }
  return ExitSuccess;
}

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
    optionTable,
    R"(
belay corpus --dynamic
belay corpus --dynamic --class missing-sync --arch 2201
belay corpus --dynamic --id V6.1 -v
belay corpus --static
)",
    runCorpus,
};
} // namespace belay::tool
