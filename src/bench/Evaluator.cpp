//===- Evaluator.cpp - Compiles, checks, runs and times candidates --------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/Evaluator.h"
#include "bench/CheckReport.h"
#include "bench/Judge.h"
#include "launch/CostFile.h"
#include "report/TimeReport.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Numbers.h"
#include "targets/Target.h"
#include "toolchain/CompilerMessages.h"
#include "toolchain/KernelScan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;
using cases::ArgSpec;

/// A folder that does not exist, so that there is nothing beside the source.
static constexpr StringLiteral SourceName = "/candidate/kernel.cpp";
static constexpr size_t MaxMessages = 16 << 10, MaxProblems = 16;

std::string Limits::str() const {
  return formatv("{0} {1} {2} {3} {4} {5} {6}", CompileSeconds, CompileBytes,
                 LaunchSeconds, LaunchBytes, TotalSeconds, CheckSeconds,
                 Patience)
      .str();
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static ArgSpec toSpec(const Argument &From) {
  ArgSpec Spec;
  Spec.What = From.What;
  Spec.Tensor = From.Tensor;
  if (From.What == ArgSpec::Role::Scalar) {
    Spec.Source = From.Scalar;
    Spec.Text =
        formatv("{0}={1}", cases::nameOf(From.Tensor.Type), From.Scalar).str();
    return Spec;
  }
  Spec.Text = From.Tensor.str();
  if (From.What != ArgSpec::Role::Out)
    Spec.Source = From.DataPath;
  return Spec;
}

/// The launch of a kernel of the language; the source is not in it.
static cases::Case launchOf(const TaskCase &From, StringRef Soc) {
  cases::Case Case;
  Case.Soc = Soc.str();
  Case.Blocks = From.Blocks;
  for (const Argument &Each : From.Arguments)
    Case.Args.push_back(toSpec(Each));
  Case.Optimise = false; // half of a candidate's time would be clang's
  return Case;
}

static std::chrono::milliseconds toMilliseconds(double Seconds) {
  return std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::duration<double>(Seconds));
}

/// The case that says most about time.
static const TaskCase &largest(const TaskValues &Values) {
  return *std::max_element(Values.cases().begin(), Values.cases().end(),
                           [](const TaskCase &A, const TaskCase &B) {
                             return A.elements() < B.elements();
                           });
}

static uint32_t coresOf(StringRef Soc) {
  const targets::Soc *Found = targets::findSoc(Soc);
  return Found->split ? Found->vectorCores : Found->aiCores;
}

/// Whether a source of the language has the instance of the task, or a single
/// kernel without parameters.
static std::string instanceIn(StringRef Source, StringRef Instance) {
  return Source.contains("template") ? Instance.str() : "";
}

//===----------------------------------------------------------------------===//
// One candidate
//===----------------------------------------------------------------------===//

namespace {

class Trial {
public:
  Trial(const Evaluator::Options &Opts, const Task &T, const Candidate &C,
        const launch::LanguageKernel &Answer)
      : Opts(Opts), T(T), C(C), Answer(Answer) {
    R.Task = T.Id;
    R.Soc = Opts.Soc;
    IsLanguage = toolchain::usesKernelLanguage(C.Source);
    R.Kind = IsLanguage ? "language" : "ascendc";
  }

  Result evaluate(const TaskValues &Public, const TaskValues &Hidden,
                  const Baseline &Against);
  /// Only its time.
  Expected<double> timeOnly(const TaskValues &Public);

private:
  Error prepare();
  Expected<cases::Case> caseOf(const TaskCase &From);
  report::CaseResult launch(const cases::Case &Case);
  /// False if there is no use in going on.
  bool runCase(const TaskCase &From, StringRef Name, bool Hidden);
  /// The sanitizer has found something: is it right all the same?
  bool isRightUnwatched(const cases::Case &Case);
  bool judgeArguments(const TaskCase &From, StringRef Name, bool Hidden);
  void checkStatically();
  void trySchedules(const TaskValues &Hidden);
  void takeTime(const TaskValues &Public);
  void add(Stage During, StringRef Case, Diagnostic What, bool Hidden = false);
  /// Sorts what a launch says; true if all is well.
  bool sort(const report::CaseResult &Said, StringRef Name, bool Hidden);
  /// What is left of how long all is waited for, and of its CPU time.
  double secondsLeft() const;
  double cpuLeft() const { return Opts.Most.TotalSeconds - CpuUsed; }

  const Evaluator::Options &Opts;
  const Task &T;
  const Candidate &C;
  const launch::LanguageKernel &Answer;
  bool IsLanguage = false;
  Result R;
  std::optional<launch::CaseRunner> Runner;
  double CpuUsed = 0;
  /// Of the last launch: all arguments after it.
  std::vector<std::vector<uint8_t>> After;
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
};

/// Adds the seconds until its end to a stage.
class Clock {
public:
  Clock(Result &R, Stage S) : R(R), S(S) {}
  ~Clock() {
    R.Costs[nameOf(S).str()] +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
            .count();
  }

private:
  Result &R;
  Stage S;
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
};

} // namespace

double Trial::secondsLeft() const {
  std::chrono::duration<double> Gone = std::chrono::steady_clock::now() - Start;
  return std::max(0.001,
                  Opts.Most.TotalSeconds * Limits::Patience - Gone.count());
}

void Trial::add(Stage During, StringRef Case, Diagnostic What, bool Hidden) {
  // One finding in many cases is one problem.
  bool Known = any_of(R.Problems, [&](const Problem &P) {
    return P.During == During && P.What.Id == What.Id &&
           What.Id != DiagId::ValueMismatch &&
           P.What.Where.Line == What.Where.Line;
  });
  if (Known || R.Problems.size() >= MaxProblems)
    return;
  // Who sees the values of hidden cases can answer them.
  if (Hidden)
    What.Notes.clear();
  R.Problems.push_back({During, Case.str(), std::move(What)});
}

Error Trial::prepare() {
  launch::CaseRunner::Options Run;
  Run.Sealed = true;
  Run.Compiler.Sandbox = Opts.Sandbox;
  Run.Compiler.CpuLimit = toMilliseconds(Opts.Most.CompileSeconds);
  Run.Compiler.TimeLimit =
      toMilliseconds(Opts.Most.CompileSeconds * Limits::Patience);
  Run.Compiler.MemoryLimitBytes = Opts.Most.CompileBytes;
  Run.Slots = 1; // the same order of cores each time
  Run.Silent = true;
  Run.OnArguments = [this](const launch::ArgumentBuffers &Arguments) {
    After.clear();
    for (const launch::ArgumentBuffer *Buffer : Arguments.tensors())
      if (!Buffer->Spec->Internal)
        After.emplace_back(Buffer->Memory.bytes().begin(),
                           Buffer->Memory.bytes().end());
  };
  Expected<launch::CaseRunner> Made = launch::CaseRunner::create({}, Run);
  if (!Made)
    return Made.takeError();
  Runner.emplace(std::move(*Made));
  return Error::success();
}

Expected<cases::Case> Trial::caseOf(const TaskCase &From) {
  cases::Case Case = launchOf(From, Opts.Soc);
  Case.Blocks = std::min(Case.Blocks, Answer.Contract.MaxBlocks);
  if (!IsLanguage) {
    // Its parameters are those of what the answer becomes.
    Expected<cases::Case> Bound = launch::applyLanguage(Case, Answer);
    if (!Bound)
      return Bound.takeError();
    Case = std::move(*Bound);
    Case.Code.clear();
    Case.Kernel = StringRef(C.Source).contains(Answer.Contract.Entry)
                      ? Answer.Contract.Entry
                      : "";
  } else {
    Case.Kernel = instanceIn(C.Source, T.Instance);
    Case.CompilerSync = false;
  }
  Case.Source = SourceName.str();
  Case.Text = C.Source;
  Case.Check = true;
  Case.AllowUnwritten = {"all"}; // the judge sees the poison
  Case.CpuLimitSeconds = Opts.Most.LaunchSeconds;
  Case.TimeLimitSeconds = Opts.Most.LaunchSeconds * Limits::Patience;
  Case.MemoryLimitBytes = Opts.Most.LaunchBytes;
  return Case;
}

report::CaseResult Trial::launch(const cases::Case &Case) {
  After.clear();
  Runner->options().BudgetSeconds = secondsLeft();
  Runner->options().CpuBudgetSeconds = std::max(0.001, cpuLeft());
  toolchain::MessageListener Messages(MaxMessages);
  report::CaseResult Said = Runner->run(Case);
  CpuUsed += Said.CompilerCpuSeconds + Said.RunnerCpuSeconds;
  // Warnings come with each launch.
  if (R.Messages.empty())
    R.Messages = Messages.text();
  if (!Said.KernelSeconds.empty()) {
    R.Sealed = Said.Sealed;
    R.Confined = Said.Confined && Said.Confined->Started &&
                 Said.Confined->Namespaces && Said.Confined->SystemCalls;
    if (Opts.Sandbox && !R.Confined)
      Said.Problems.push_back(toDiagnostic(
          makeError(DiagId::NoSandbox, "the kernel was not confined")));
  }
  return Said;
}

bool Trial::sort(const report::CaseResult &Said, StringRef Name, bool Hidden) {
  bool Fine = true;
  for (const Diagnostic &Each : Said.Problems) {
    Fault What = faultOf(Each.Id);
    if (What == Fault::None)
      continue;
    Fine = false;
    R.charge(What);
    add(What == Fault::NotCompiled ? Stage::Compile
        : What == Fault::Unsafe    ? Stage::Safety
                                   : Stage::Run,
        Name, Each, Hidden);
  }
  return Fine;
}

bool Trial::judgeArguments(const TaskCase &From, StringRef Name, bool Hidden) {
  size_t Index = 0;
  bool Right = true;
  for (const Argument &Each : From.Arguments) {
    if (Each.What == ArgSpec::Role::Scalar)
      continue;
    ArrayRef<uint8_t> Got = After[Index++];
    Diagnostic Diag;
    Diag.Id = DiagId::ValueMismatch;
    if (!Each.writes()) {
      if (Got == Each.Data)
        continue;
      Diag.Message =
          formatv("input {0} ({1}) was changed", Index - 1, Each.Tensor.str());
    } else {
      Judgement J = judge(Each, Got);
      R.WorstError = std::max(R.WorstError, J.Worst);
      if (J.right())
        continue;
      Diag.Message = formatv("argument {0} ({1}) is wrong in {2} of {3} "
                             "elements",
                             Index - 1, Each.Tensor.str(), J.Wrong, J.Elements);
      Diag.Notes.push_back(
          {{},
           formatv("first at element {0}: {1}, not {2}", J.FirstAt,
                   J.NeverWritten ? "never written" : formatNumber(J.Got, 9),
                   formatNumber(J.Want, 9))});
    }
    Right = false;
    add(Stage::Run, Name, std::move(Diag), Hidden);
  }
  return Right;
}

bool Trial::isRightUnwatched(const cases::Case &Watched) {
  cases::Case Case = Watched;
  Case.Check = false;
  report::CaseResult Said = launch(Case);
  if (any_of(Said.Problems, [](const Diagnostic &Each) {
        return faultOf(Each.Id) == Fault::NotOurs;
      }))
    R.Judged = false;
  return Said.passed() && !After.empty();
}

bool Trial::runCase(const TaskCase &From, StringRef Name, bool Hidden) {
  Clock Running(R, Stage::Run);
  Expected<cases::Case> Case = caseOf(From);
  if (!Case) {
    R.Judged = false;
    add(Stage::Run, Name, toDiagnostic(Case.takeError()));
    return false;
  }
  report::CaseResult Said = launch(*Case);
  R.Costs["compile"] += Said.CompileSeconds;
  R.Costs["run"] -= Said.CompileSeconds;
  bool Fine = sort(Said, Name, Hidden);
  if (!R.Judged || !R.Compiled)
    return false;
  auto Has = [&](Fault What) {
    return any_of(Said.Problems, [&](const Diagnostic &Each) {
      return faultOf(Each.Id) == What;
    });
  };
  if (Has(Fault::Stopped)) {
    R.Correct = R.Safe = false;
    return false;
  }
  bool Right = (Fine || (!Has(Fault::Refused) && isRightUnwatched(*Case))) &&
               judgeArguments(From, Name, Hidden);
  (Hidden ? R.HiddenRight : R.PublicRight) += Right;
  R.Correct &= Right;
  return true;
}

void Trial::checkStatically() {
  if (IsLanguage)
    return; // what is not proven has a guard
  Clock Checking(R, Stage::Check);
  check::Checker::Options Check;
  Check.Compiler.Sandbox = Opts.Sandbox;
  double Most = Opts.Most.CheckSeconds;
  Check.CpuTime = toMilliseconds(std::min(std::max(cpuLeft(), 0.001), Most));
  // A machine that is busy must not change what is known: patience is that of
  // a launch.
  Check.Timeout =
      std::chrono::ceil<std::chrono::seconds>(std::chrono::duration<double>(
          std::min(std::max(Most, Opts.Most.LaunchSeconds) * Limits::Patience,
                   secondsLeft())));
  Expected<check::Checker> Checker = check::Checker::create(Check);
  if (!Checker) {
    R.Judged = false;
    return add(Stage::Check, "", toDiagnostic(Checker.takeError()));
  }
  check::CheckRequest Request;
  Request.Source = SourceName.str();
  Request.Text = C.Source;
  Request.Soc = Opts.Soc;
  Request.IgnoreAllowances = true;
  chargeCheck(Checker->check(Request), R,
              [&](const Diagnostic &What) { add(Stage::Check, "", What); });
}

void Trial::trySchedules(const TaskValues &Hidden) {
  const TaskCase &From = largest(Hidden);
  if (!Opts.Schedules || From.Unordered)
    return;
  Clock Trying(R, Stage::Safety);
  Expected<cases::Case> Case = caseOf(From);
  if (!Case)
    return consumeError(Case.takeError());
  Runner->options().Orders.Count = Opts.Schedules;
  sort(launch(*Case), "hidden, in another order", /*Hidden=*/true);
  Runner->options().Orders.Count = 0;
  R.Schedules = Opts.Schedules;
}

void Trial::takeTime(const TaskValues &Public) {
  Clock Timing(R, Stage::Time);
  TaskCase From = largest(Public);
  From.Blocks = coresOf(Opts.Soc);
  Expected<cases::Case> Case = caseOf(From);
  if (!Case) {
    R.Judged = false;
    return add(Stage::Time, "", toDiagnostic(Case.takeError()));
  }
  Runner->options().Time = true;
  report::CaseResult Said = launch(*Case);
  Runner->options().Time = false;
  if (!sort(Said, "timed", /*Hidden=*/false)) {
    R.Correct = false;
    return;
  }
  // What is timed is what has to be right.
  R.Correct &= judgeArguments(From, "timed", /*Hidden=*/false);
  if (!Said.Time) {
    R.Judged = false;
    return add(Stage::Time, "timed",
               toDiagnostic(makeError(DiagId::TimeUnknown,
                                      "the timed launch has no time")));
  }
  const timing::Answer &Total = Said.Time->Total;
  R.Cycles = Total.Cycles[timing::MiddleDraw];
  R.LeastCycles =
      *std::min_element(Total.Cycles, Total.Cycles + timing::NumRangeDraws);
  R.MostCycles =
      *std::max_element(Total.Cycles, Total.Cycles + timing::NumRangeDraws);
}

Result Trial::evaluate(const TaskValues &Public, const TaskValues &Hidden,
                       const Baseline &Against) {
  R.PublicCases = Public.cases().size();
  R.HiddenCases = Hidden.cases().size();
  R.AnswerCycles = Against.AnswerCycles;
  R.FloorCycles = Against.FloorCycles;
  if (Error E = prepare()) {
    R.Judged = false;
    add(Stage::Compile, "", toDiagnostic(std::move(E)));
    return std::move(R);
  }
  R.Compiled = R.Correct = R.Safe = true;
  auto RunAll = [&] {
    for (const auto &[Index, Case] : enumerate(Public.cases()))
      if (!runCase(Case, formatv("public {0}", Index).str(), false))
        return false;
    for (const auto &[Index, Case] : enumerate(Hidden.cases()))
      if (!runCase(Case, formatv("hidden {0}", Index).str(), true))
        return false;
    return true;
  };
  bool RanAll = RunAll();
  if (R.Compiled && R.Judged)
    checkStatically();
  if (RanAll && R.Correct && R.Safe)
    trySchedules(Hidden);
  if (RanAll && R.Correct && R.Safe)
    takeTime(Public);
  R.Correct &= RanAll;
  R.Safe &= RanAll;
  R.Impossible = R.Cycles > 0 && R.Cycles < R.FloorCycles;
  return std::move(R);
}

Expected<double> Trial::timeOnly(const TaskValues &Public) {
  if (Error E = prepare())
    return E;
  R.Compiled = R.Correct = R.Safe = true;
  takeTime(Public);
  if (R.Correct && R.Cycles > 0)
    return R.Cycles;
  std::string Why = R.Messages;
  for (const Problem &Each : R.Problems)
    Why += "\n" + Each.What.Message;
  return createStringError("the answer of " + T.Id +
                           " cannot be timed: " + Why);
}

//===----------------------------------------------------------------------===//
// All candidates
//===----------------------------------------------------------------------===//

Expected<const launch::LanguageKernel *> Evaluator::answer(const Task &T) {
  if (auto At = Answers.find(T.Id); At != Answers.end())
    return &At->second;
  toolchain::MessageListener Messages(MaxMessages);
  toolchain::KernelCompiler::Options Compile;
  Compile.Quiet = true;
  Expected<toolchain::KernelCompiler> Compiler =
      toolchain::KernelCompiler::create(Compile);
  if (!Compiler)
    return Compiler.takeError();
  cases::Case Case;
  Case.Source = T.Answer;
  Case.Kernel = T.Instance;
  Case.Soc = Opts.Soc;
  Case.Deny = true;
  Expected<std::string> Json = Compiler->compileLanguage(Case);
  if (!Json)
    return createStringError("the answer of " + T.Id + ": " +
                             toString(Json.takeError()));
  Expected<std::vector<launch::LanguageKernel>> Kernels =
      launch::LanguageKernel::parse(*Json);
  if (!Kernels)
    return Kernels.takeError();
  Expected<const launch::LanguageKernel *> Chosen =
      launch::chooseKernel(Case, *Kernels);
  if (!Chosen)
    return Chosen.takeError();
  return &Answers.try_emplace(T.Id, **Chosen).first->second;
}

Result Evaluator::evaluate(const Task &T, const Candidate &C,
                           const TaskValues &Public, const TaskValues &Hidden,
                           const Baseline &Against) {
  Expected<const launch::LanguageKernel *> Answer = answer(T);
  if (!Answer) {
    Result R;
    R.Task = T.Id;
    R.Soc = Opts.Soc;
    R.Judged = false;
    R.Problems.push_back(
        {Stage::Compile, "", toDiagnostic(Answer.takeError())});
    return R;
  }
  return Trial(Opts, T, C, **Answer).evaluate(Public, Hidden, Against);
}

/// What no kernel can go below: the launch, and its outputs at the highest rate
/// of L2.
static Expected<double> floorOf(const Evaluator::Options &Opts,
                                const TaskValues &Public) {
  Expected<std::string> Text = launch::readCosts(Opts.Soc);
  if (!Text)
    return Text.takeError();
  timing::CostTable Table;
  if (std::string Wrong = Table.parse(*Text); !Wrong.empty())
    return createStringError(Wrong);
  const targets::Soc *Soc = targets::findSoc(Opts.Soc);
  Table.ClockGHz = Soc->clockMHz / 1e3;
  Table.L2Bytes = Soc->l2;
  timing::Costs Fast(Table, timing::Draws[0]);
  return Fast[timing::Parameter::LaunchBase] +
         static_cast<double>(largest(Public).outputBytes()) /
             Fast[timing::Parameter::L2Rate];
}

Expected<Baseline> Evaluator::baseline(const Task &T,
                                       const TaskValues &Public) {
  Expected<const launch::LanguageKernel *> Answer = answer(T);
  if (!Answer)
    return Answer.takeError();
  Expected<std::string> Source = readFile(T.Answer, 1 << 20);
  if (!Source)
    return Source.takeError();
  Candidate Own;
  Own.Source = std::move(*Source);
  Expected<double> Cycles = Trial(Opts, T, Own, **Answer).timeOnly(Public);
  if (!Cycles)
    return Cycles.takeError();
  Expected<double> Floor = floorOf(Opts, Public);
  if (!Floor)
    return Floor.takeError();
  return Baseline{*Cycles, *Floor};
}
