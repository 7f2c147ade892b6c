//===- BenchCommand.cpp - belay bench -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BenchGenerate.h"
#include "BenchRequest.h"

#define BELAY_OPTIONS "options/Bench.inc"
#include "OptionTable.h"

#include "bench/Agent.h"
#include "bench/ForeignSet.h"
#include "bench/Identity.h"
#include "bench/Report.h"
#include "bench/Service.h"
#include "sandbox/Sandbox.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "support/Styling.h"
#include "targets/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace belay;
using namespace belay::bench;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

namespace {

/// One line that is written again and again, or nothing where nobody looks.
class ProgressLine {
public:
  void show(const Progress &P) {
    if (!errs().is_displayed())
      return;
    double Rate = P.Seconds > 0 ? static_cast<double>(P.Done) / P.Seconds : 0;
    std::string Verdicts;
    for (const auto &[Name, Count] : P.ByVerdict)
      Verdicts += formatv("  {0} {1}", Count, Name).str();
    errs() << formatv(
        "\r\033[K{0}/{1}  {2:f0} an hour  {3} s left{4}", P.Done, P.Total,
        Rate * 3600,
        Rate > 0
            ? formatv("{0:f0}", static_cast<double>(P.Total - P.Done) / Rate)
                  .str()
            : "?",
        Verdicts);
    Shown = true;
  }
  ~ProgressLine() {
    if (Shown)
      errs() << "\r\033[K";
  }

private:
  bool Shown = false;
};

} // namespace

static std::atomic<bool> Interrupted = false;

/// Those of 'generate'; nothing if it is none of them.
static std::optional<std::string>
applyGenerate(const Arguments::OptionValue &Each, BenchRequest &To) {
  auto Bad = [&](StringRef Takes) {
    return (Each.Name + " takes " + Takes + ", not '" + Each.Value + "'").str();
  };
  auto ReadCount = [&](unsigned &Count) {
    bool Wrong = Each.Value.getAsInteger(10, Count) || !Count;
    return Wrong ? Bad("a number above 0") : std::string();
  };
  switch (static_cast<Opt>(Each.Id)) {
  case Opt::model:
    To.Ask.Model = Each.Value.str();
    return "";
  case Opt::endpoint:
    To.Ask.Endpoint = Each.Value.str();
    return "";
  case Opt::prompt:
    if (!is_contained(generate::templateNames(), Each.Value))
      return Bad(join(generate::templateNames(), ", "));
    To.Generate.Template = Each.Value.str();
    return "";
  case Opt::samples:
    return ReadCount(To.Generate.Samples);
  case Opt::repairs:
    if (Each.Value.getAsInteger(10, To.Generate.Repairs))
      return Bad("a whole number");
    return "";
  case Opt::max_tokens:
    return ReadCount(To.Ask.MaxTokens);
  case Opt::requests:
    return ReadCount(To.Ask.MostRequests);
  case Opt::temperature:
    if (Each.Value.getAsDouble(To.Ask.Temperature) ||
        !(To.Ask.Temperature >= 0) || !(To.Ask.Temperature <= 2))
      return Bad("a number from 0 to 2");
    return "";
  case Opt::rate:
    if (Each.Value.getAsDouble(To.Ask.Rate) || !(To.Ask.Rate > 0))
      return Bad("a number above 0");
    return "";
  case Opt::seed:
    if (Each.Value.getAsInteger(10, To.Generate.Seed))
      return Bad("a whole number");
    return "";
  default:
    return std::nullopt;
  }
}

static std::string apply(const Arguments::OptionValue &Each, BenchRequest &To) {
  if (std::optional<std::string> Mistake = applyGenerate(Each, To))
    return *Mistake;
  auto Bad = [&](StringRef Takes) {
    return (Each.Name + " takes " + Takes + ", not '" + Each.Value + "'").str();
  };
  auto ReadSeconds = [&](double &Seconds) {
    bool Wrong =
        Each.Value.getAsDouble(Seconds) || !(Seconds > 0) || !(Seconds < 1e6);
    return Wrong ? Bad("a number of seconds above 0") : std::string();
  };
  switch (static_cast<Opt>(Each.Id)) {
  case Opt::tasks:
    To.Patterns.push_back(Each.Value.str());
    break;
  case Opt::task_folder:
    To.TaskFolder = Each.Value.str();
    break;
  case Opt::candidates:
    To.Candidates = Each.Value.str();
    break;
  case Opt::store:
    To.Store = Each.Value.str();
    break;
  case Opt::queue:
    if (!Each.Value.starts_with("postgres://") &&
        !Each.Value.starts_with("postgresql://"))
      return (Each.Name + " takes postgres://USER@HOST/DATABASE").str();
    To.Store = Each.Value.str();
    To.HasQueue = true;
    break;
  case Opt::lease:
    return ReadSeconds(To.LeaseSeconds);
  case Opt::until_empty:
    To.UntilEmpty = true;
    break;
  case Opt::experiment:
    To.Experiment = Each.Value.str();
    break;
  case Opt::soc:
    if (!targets::findSoc(Each.Value))
      return Bad("a SoC ('belay targets' lists them)");
    To.Evaluate.Soc = targets::findSoc(Each.Value)->name;
    break;
  case Opt::schedules:
    if (Each.Value.getAsInteger(10, To.Evaluate.Schedules))
      return Bad("a whole number");
    break;
  case Opt::jobs:
    if (Each.Value.getAsInteger(10, To.Jobs) || !To.Jobs)
      return Bad("a number above 0");
    break;
  case Opt::time_limit:
    return ReadSeconds(To.Evaluate.Most.LaunchSeconds);
  case Opt::compile_time_limit:
    return ReadSeconds(To.Evaluate.Most.CompileSeconds);
  case Opt::check_time_limit:
    return ReadSeconds(To.Evaluate.Most.CheckSeconds);
  case Opt::budget:
    return ReadSeconds(To.Evaluate.Most.TotalSeconds);
  case Opt::largest:
    if (Each.Value.getAsInteger(10, To.Evaluate.Largest))
      return Bad("a whole number");
    break;
  case Opt::no_sandbox:
    To.Evaluate.Sandbox = false;
    break;
  case Opt::format:
    if (Each.Value != "language" && Each.Value != "ascendc")
      return Bad("language or ascendc");
    To.Format = Each.Value.str();
    break;
  case Opt::o:
    To.Out = Each.Value.str();
    break;
  case Opt::json:
    To.Json = true;
    break;
  default: // those of 'generate'
    break;
  }
  return "";
}

/// How far an experiment is.
static int printCounts(const BenchRequest &Wanted, Store &From) {
  Expected<Store::Counts> Counts = From.counts(Wanted.Experiment);
  if (!Counts)
    return reportError(Counts.takeError());
  outs() << formatv("{0} candidates, {1} jobs, {2} of them wait\n",
                    Counts->Candidates, Counts->Jobs, Counts->Waiting);
  return ExitSuccess;
}

static int printStanding(const BenchRequest &Wanted, Store &From) {
  Expected<std::vector<Row>> Rows = From.rows(Wanted.Experiment);
  if (!Rows)
    return reportError(Rows.takeError());
  outs() << (Wanted.Json ? formatJson(Wanted.Experiment, *Rows)
                         : formatText(*Rows));
  return ExitSuccess;
}

/// From now on SIGINT and SIGTERM let what has begun come to its end; the
/// second one does not.
static void endGently() {
  for (int Signal : {SIGINT, SIGTERM})
    std::signal(Signal, [](int Which) {
      Interrupted = true;
      std::signal(Which, SIG_DFL);
    });
}

/// 'run' judges the candidates of a folder, 'submit' leaves that to agents.
static int runCandidates(const Command &Self, const BenchRequest &Wanted,
                         bool Submit) {
  StringRef Verb = Submit ? "submit" : "run";
  if (Wanted.Candidates.empty())
    return usageError(Self, "'" + Verb + "' needs --candidates DIR");
  if (Submit && !Wanted.HasQueue)
    return usageError(Self, "'submit' needs --queue URL");
  Expected<std::vector<Task>> Tasks = tasksOf(Wanted);
  if (!Tasks)
    return reportError(Tasks.takeError());
  Expected<std::vector<Candidate>> Candidates =
      readCandidates(Wanted.Candidates, *Tasks);
  if (!Candidates)
    return reportError(Candidates.takeError());
  if (Candidates->empty())
    return usageError(Self, Wanted.Candidates +
                                " has no TASK/SAMPLE.cpp for these tasks");
  Expected<std::unique_ptr<Store>> To = Store::open(Wanted.Store);
  if (!To)
    return reportError(To.takeError());
  if (!Wanted.Evaluate.Sandbox)
    errs() << "belay: warning: candidates run with all rights of this user\n";
  endGently();
  ProgressLine Line;
  Campaign::Options Opts;
  Opts.Evaluate = Wanted.Evaluate;
  Opts.Experiment = Wanted.Experiment;
  Opts.Jobs = Wanted.Jobs;
  Opts.LeaseSeconds = Wanted.LeaseSeconds;
  Opts.Stop = &Interrupted;
  Opts.OnProgress = [&](const Progress &P) { Line.show(P); };
  Expected<std::unique_ptr<Campaign>> All =
      Campaign::create(**To, std::move(*Tasks), Opts);
  if (!All)
    return reportError(All.takeError());
  if (Error E = Submit ? (*All)->submit(*Candidates) : (*All)->run(*Candidates))
    return reportError(std::move(E));
  if (Interrupted) {
    errs() << "belay: stopped; the same command goes on where it stopped\n";
    return toInt(ExitStatus::Stopped);
  }
  return Submit ? printCounts(Wanted, **To) : printStanding(Wanted, **To);
}

/// One machine that works for a queue.
static int runAgent(const Command &Self, const BenchRequest &Wanted) {
  if (!Wanted.HasQueue)
    return usageError(Self, "'agent' needs --queue URL");
  BenchRequest Own = Wanted;
  erase_if(Own.Patterns, [](const std::string &Pattern) {
    return ForeignSet::parse(Pattern).has_value();
  });
  Expected<std::vector<Task>> Tasks = tasksOf(Own);
  if (!Tasks)
    return reportError(Tasks.takeError());
  if (Own.Patterns.size() != Wanted.Patterns.size()) {
    Expected<std::vector<Task>> Foreign = tasksOf(Wanted);
    if (!Foreign)
      return reportError(Foreign.takeError());
    append_range(*Tasks, *Foreign);
  }
  Expected<std::unique_ptr<Store>> From = Store::open(Wanted.Store);
  if (!From)
    return reportError(From.takeError());
  endGently();
  ProgressLine Line;
  uint64_t Judged = 0;
  Agent::Options Opts;
  Opts.Jobs = Wanted.Jobs;
  Opts.LeaseSeconds = Wanted.LeaseSeconds;
  Opts.UntilEmpty = Wanted.UntilEmpty;
  Opts.Sandbox = Wanted.Evaluate.Sandbox;
  Opts.Stop = &Interrupted;
  Opts.OnProgress = [&](const Progress &P) {
    Judged = P.Done;
    Line.show(P);
  };
  Error Failed = Agent(**From, std::move(*Tasks), std::move(Opts)).run();
  errs() << "belay: " << Judged << " judged\n";
  if (Failed)
    return reportError(std::move(Failed));
  return ExitSuccess;
}

/// For programs that judge candidates as they make them.
static int judgeRequests(const BenchRequest &Wanted) {
  Expected<std::vector<Task>> Tasks = tasksOf(Wanted);
  if (!Tasks)
    return reportError(Tasks.takeError());
  Expected<std::unique_ptr<Store>> To = Store::open(Wanted.Store);
  if (!To)
    return reportError(To.takeError());
  Campaign::Options Opts;
  Opts.Evaluate = Wanted.Evaluate;
  Opts.Jobs = Wanted.Jobs;
  Expected<std::unique_ptr<Campaign>> By =
      Campaign::create(**To, std::move(*Tasks), Opts);
  if (!By)
    return reportError(By.takeError());
  if (Error E = serveRequests(**By, /*From=*/0, /*To=*/1, Wanted.Jobs))
    return reportError(std::move(E));
  return ExitSuccess;
}

static int generateFor(const Command &Self, const BenchRequest &Wanted) {
  Expected<std::vector<Task>> Tasks = tasksOf(Wanted);
  if (!Tasks)
    return reportError(Tasks.takeError());
  endGently();
  GenerateRequest What{Wanted.Ask, Wanted.Generate, Wanted.Evaluate,
                       Wanted.Store};
  What.How.Out = Wanted.Out;
  What.How.Jobs = Wanted.Jobs;
  What.How.Stop = What.Ask.Stop = &Interrupted;
  return generateCandidates(Self, std::move(What), std::move(*Tasks));
}

static int writeReport(const Command &Self, const BenchRequest &Wanted) {
  Expected<std::unique_ptr<Store>> From = Store::open(Wanted.Store);
  if (!From)
    return reportError(From.takeError());
  if (Wanted.Out.empty())
    return printStanding(Wanted, **From);
  Expected<std::vector<Row>> Rows = (*From)->rows(Wanted.Experiment);
  if (!Rows)
    return reportError(Rows.takeError());
  if (Rows->empty())
    return usageError(Self, "the store has no experiment '" +
                                Wanted.Experiment + "'");
  if (std::error_code EC = sys::fs::create_directories(Wanted.Out))
    return reportError(createStringError(EC, Wanted.Out + ": " + EC.message()));
  std::pair<StringRef, std::string> Files[] = {
      {"index.html", formatHtml(Wanted.Experiment, *Rows)},
      {"results.csv", formatCsv(*Rows)},
      {"results.json", formatJson(Wanted.Experiment, *Rows)}};
  for (const auto &[Name, Text] : Files)
    if (Error E = writeFile(Wanted.Out + "/" + Name.str(), toBytes(Text)))
      return reportError(std::move(E));
  outs() << Wanted.Out << "/index.html\n";
  return ExitSuccess;
}

/// Judges what a result was about again, and compares the records.
static int replay(const Command &Self, const BenchRequest &Wanted,
                  StringRef Id) {
  if (Id.empty())
    return usageError(Self, "'replay' needs the key of a result, or its first "
                            "letters");
  Expected<std::unique_ptr<Store>> From = Store::open(Wanted.Store);
  if (!From)
    return reportError(From.takeError());
  Expected<Row> Before = (*From)->find(Id);
  if (!Before)
    return reportError(Before.takeError());
  BenchRequest One = Wanted;
  // A checkout has to be named again; other patterns choose nothing here.
  erase_if(One.Patterns, [](const std::string &Pattern) {
    return !ForeignSet::parse(Pattern);
  });
  One.Patterns.push_back(Before->Task);
  Expected<std::vector<Task>> Tasks = tasksOf(One);
  if (!Tasks)
    return reportError(Tasks.takeError());
  Campaign::Options Opts;
  Opts.Evaluate = Wanted.Evaluate;
  Expected<std::unique_ptr<Campaign>> Again =
      Campaign::create(**From, std::move(*Tasks), Opts);
  if (!Again)
    return reportError(Again.takeError());
  if (Error E = (*Again)->prepare(Before->Task))
    return reportError(std::move(E));
  Expected<std::string> Key = (*Again)->keyOf(Before->Task, Before->Source);
  if (!Key)
    return reportError(Key.takeError());
  if (*Key != Before->Key)
    return reportError(createStringError(
        "this is not what judged it: Belay, the task, its values or the "
        "options are others today"));
  Expected<Result> Now = (*Again)->judge(Before->Task, Before->Source);
  if (!Now)
    return reportError(Now.takeError());
  std::string Record = recordOf(*Now);
  outs() << formatv("{0:2}\n", json::Value(bench::toJson(*Now)));
  bool Same = Record == Before->Body;
  errs() << (Same ? "the same record, byte for byte\n"
                  : "belay: error: the record differs from the stored one\n");
  return Same ? ExitSuccess : ExitFailure;
}

static int examine() {
  sandbox::Ability Can = sandbox::examineMachine();
  if (Can.WhyNot.empty())
    outs() << formatv("candidates are confined: namespaces, system calls, "
                      "landlock {0}; as user {1}\n",
                      Can.Said.Landlock, Can.Said.User);
  else
    outs() << "candidates cannot be confined, and 'run' refuses them: "
           << Can.WhyNot << "\n";
  return Can.WhyNot.empty() ? ExitSuccess : toInt(ExitStatus::Failed);
}

static int runBench(const Command &Self, const Arguments &Args) {
  BenchRequest Wanted;
  for (const Arguments::OptionValue &Each : Args.Options)
    if (std::string Mistake = apply(Each, Wanted); !Mistake.empty())
      return usageError(Self, Mistake);
  StringRef Verb = Args.Positional.empty() ? "" : Args.Positional.front();
  size_t Most = Verb == "replay" ? 2 : 1;
  if (Args.Positional.size() > Most)
    return usageError(Self, "'" + Args.Positional[Most] + "' is too much");
  if (Verb == "tasks")
    return listTasks(Wanted);
  if (Verb == "show")
    return showTasks(Wanted);
  if (Verb == "lint")
    return lintTasks(Self, Wanted);
  if (Verb == "answers")
    return writeAnswers(Self, Wanted);
  if (Verb == "run" || Verb == "submit")
    return runCandidates(Self, Wanted, Verb == "submit");
  if (Verb == "judge")
    return judgeRequests(Wanted);
  if (Verb == "generate")
    return generateFor(Self, Wanted);
  if (Verb == "agent")
    return runAgent(Self, Wanted);
  if (Verb == "report")
    return writeReport(Self, Wanted);
  if (Verb == "replay")
    return replay(Self, Wanted,
                  Args.Positional.size() > 1 ? Args.Positional[1] : "");
  if (Verb == "doctor")
    return examine();
  return usageError(Self, Verb.empty() ? Twine("say what to do")
                                       : "there is no '" + Verb + "'");
}

namespace belay::tool {
extern const Command BenchCommand;
const Command BenchCommand = {
    "bench",
    "score kernels that models write, without an NPU",
    "tasks | show | lint | answers | generate | run | judge | submit | "
    "agent | report | replay KEY | doctor [OPTIONS]",
    R"(
Judges candidates for tasks: kernels that have to compute what PyTorch computes in
float64. Each is compiled, checked, run on public and on hidden cases under the
sanitizer, and timed on the simulated AI Core, sealed and in a sandbox: it never
sees expected values, and has no part in its verdict.

'tasks' lists the tasks, 'show' says what a candidate has to look like, 'lint'
refuses tasks that accept wrong answers, 'answers' writes those of the library as
candidates. 'generate' asks a model for candidates, by any server that has chat
completions, and with --repairs lets it correct what was found. 'run' judges the candidates of a folder; what was judged before is
found in the store. 'judge' reads requests from its input, one JSON object on each
line, and writes a line with each verdict. With --queue the store is a PostgreSQL database of many hosts:
'submit' leaves the candidates of a folder to them, and 'agent', one on each host,
judges what was submitted until it is stopped. 'report' prints the leaderboard, and with -o writes a page, CSV
and JSON. 'replay' judges one again and compares the records. docs/bench.md is a
walk through all of it.
)",
    optionTable,
    R"(
belay bench show --tasks activation/elu/half
belay bench run --tasks level1 --candidates DIR
belay bench report -o report
belay bench generate --model NAME --endpoint http://localhost:8000/v1 -o DIR
belay bench submit --queue postgres://bench@db/bench --candidates DIR
belay bench agent --queue postgres://bench@db/bench
)",
    runBench,
};
} // namespace belay::tool
