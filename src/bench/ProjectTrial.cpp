//===- ProjectTrial.cpp - Judges an operator project ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/ProjectTrial.h"
#include "bench/CheckReport.h"
#include "bench/ForeignSet.h"
#include "support/DiagnosticError.h"
#include "toolchain/CompilerMessages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <tuple>

using namespace llvm;
using namespace belay;
using namespace belay::bench;
using namespace belay::support;

static constexpr size_t MaxMessages = 16 << 10, MaxProblems = 16;

static std::chrono::milliseconds toMilliseconds(double Seconds) {
  return std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::duration<double>(Seconds));
}

/// Host code that calls the operator through the framework that is around it on
/// a device; definition and tiling do not need it.
static bool callsFramework(StringRef Text) {
  return Regex("#include[ \t]*[\"<](opdev|aclnn_kernels)/").match(Text);
}

namespace {

/// A folder that ends with this object.
class Scratch {
public:
  static Expected<Scratch> create() {
    SmallString<128> Path;
    if (std::error_code EC = sys::fs::createUniqueDirectory("belay", Path))
      return createStringError(EC, "temporary folder: " + EC.message());
    if (std::error_code EC =
            sys::fs::setPermissions(Path, sys::fs::perms::owner_all))
      return createStringError(EC, Path + ": " + EC.message());
    return Scratch(Path.str().str());
  }
  Scratch(Scratch &&Other) : Path(std::exchange(Other.Path, "")) {}
  ~Scratch() {
    if (!Path.empty())
      std::ignore = sys::fs::remove_directories(Path);
  }
  const std::string &path() const { return Path; }

private:
  explicit Scratch(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

class ProjectTrial {
public:
  ProjectTrial(const Evaluator::Options &Opts, const Task &T)
      : Opts(Opts), T(T) {
    R.Task = T.Id;
    R.Soc = Opts.Soc;
    R.Kind = "project";
    R.Timed = false;
  }

  Result evaluate(StringRef Packed);

private:
  Error prepare(StringRef Packed);
  Error runAll();
  /// False if there is no use in going on.
  bool runCase(cases::Case Case, StringRef Name);
  report::CaseResult launch(const cases::Case &Case);
  Error judgeAll();
  void checkStatically();
  void add(Stage During, StringRef Case, Diagnostic What);
  void notOurs(Stage During, Error E);
  std::string withoutFolder(StringRef Text) const;
  std::vector<std::string> includes() const;

  const Evaluator::Options &Opts;
  const Task &T;
  Result R;
  std::optional<Scratch> Folder;
  std::string Project, Launches, Results, Kernel;
  ForeignProject How;
  cases::OpHostSpec Host;
  std::optional<launch::CaseRunner> Runner;
  std::vector<cases::Case> Cases;
  double CpuUsed = 0;
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
};

} // namespace

static std::string without(StringRef Text, StringRef Folder) {
  std::string Prefix = (Folder + "/").str(), Result;
  while (true) {
    auto [Before, After] = Text.split(Prefix);
    Result += Before;
    if (Before.size() == Text.size())
      return Result;
    Text = After;
  }
}

/// A record has nothing of the machine that it was made on.
std::string ProjectTrial::withoutFolder(StringRef Text) const {
  std::string Result = without(Text, Project);
  for (const std::string &Folder : T.Includes)
    Result = without(Result, Folder);
  return Result;
}

std::vector<std::string> ProjectTrial::includes() const {
  std::vector<std::string> Folders = T.Includes;
  Folders.push_back(Project + "/op_host");
  for (const std::string &Each : How.Includes)
    Folders.push_back(Project + "/" + Each);
  return Folders;
}

void ProjectTrial::add(Stage During, StringRef Case, Diagnostic What) {
  bool Known = any_of(R.Problems, [&](const Problem &P) {
    return P.During == During && P.What.Id == What.Id &&
           What.Id != DiagId::ValueMismatch &&
           P.What.Where.Line == What.Where.Line;
  });
  if (Known || R.Problems.size() >= MaxProblems)
    return;
  What.Where.File = withoutFolder(What.Where.File);
  What.Message = withoutFolder(What.Message);
  What.Help = withoutFolder(What.Help);
  if (What.Other)
    What.Other->Where.File = withoutFolder(What.Other->Where.File);
  for (DiagNote &Note : What.Notes) {
    Note.Where.File = withoutFolder(Note.Where.File);
    Note.Message = withoutFolder(Note.Message);
  }
  R.Problems.push_back({During, Case.str(), std::move(What)});
}

void ProjectTrial::notOurs(Stage During, Error E) {
  R.Judged = false;
  Diagnostic What = toDiagnostic(std::move(E));
  What.Id = DiagId::BelayFailed;
  add(During, "", std::move(What));
}

Error ProjectTrial::prepare(StringRef Packed) {
  Expected<Scratch> Made = Scratch::create();
  if (!Made)
    return Made.takeError();
  Folder.emplace(std::move(*Made));
  Project = Folder->path() + "/project";
  Results = Folder->path() + "/results";
  Expected<std::string> Prepared = prepareCases(T, Opts.Largest);
  if (!Prepared)
    return Prepared.takeError();
  Launches = std::move(*Prepared);
  if (Error E = readCandidate(T, Packed, Launches, Folder->path(), Opts.Largest)
                    .moveInto(How))
    return E;
  if (Error E = writeProject(How.Files, Project))
    return E;
  Kernel = Project + "/op_kernel/" + How.Kernel + ".cpp";
  for (const auto &[Path, Text] : How.Files) {
    auto [Part, Name] = StringRef(Path).split('/');
    if (Part == "op_host" && !Name.contains('/') &&
        (Name.ends_with(".cpp") || Name.ends_with(".cc")) &&
        !callsFramework(Text))
      Host.Sources.push_back(Project + "/" + Path);
  }
  Expected<std::vector<cases::Case>> Read = readCases(Launches, Results, How);
  if (!Read)
    return Read.takeError();
  Cases = std::move(*Read);
  R.PublicCases = Cases.size();

  launch::CaseRunner::Options Run;
  Run.Sealed = true;
  Run.Compiler.Sandbox = Opts.Sandbox;
  Run.Compiler.CpuLimit = toMilliseconds(Opts.Most.CompileSeconds);
  Run.Compiler.TimeLimit =
      toMilliseconds(Opts.Most.CompileSeconds * Limits::Patience);
  Run.Compiler.MemoryLimitBytes = Opts.Most.CompileBytes;
  Run.Slots = 1;
  Run.Silent = true;
  Expected<launch::CaseRunner> Created = launch::CaseRunner::create({}, Run);
  if (!Created)
    return Created.takeError();
  Runner.emplace(std::move(*Created));
  return Error::success();
}

report::CaseResult ProjectTrial::launch(const cases::Case &Case) {
  std::chrono::duration<double> Gone = std::chrono::steady_clock::now() - Start;
  Runner->options().BudgetSeconds =
      std::max(0.001, Opts.Most.TotalSeconds * Limits::Patience - Gone.count());
  Runner->options().CpuBudgetSeconds =
      std::max(0.001, Opts.Most.TotalSeconds - CpuUsed);
  toolchain::MessageListener Messages(MaxMessages);
  report::CaseResult Said = Runner->run(Case);
  CpuUsed += Said.CompilerCpuSeconds + Said.RunnerCpuSeconds;
  if (R.Messages.empty())
    R.Messages = withoutFolder(Messages.text());
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

bool ProjectTrial::runCase(cases::Case Case, StringRef Name) {
  Case.Source = Kernel;
  Case.Kernel = How.Kernel;
  Case.Soc = Opts.Soc;
  Case.OpHost.Sources = Host.Sources;
  Case.IncludeDirs = includes();
  Case.Defines = T.Defines;
  Case.Check = true;
  Case.AllowUnwritten = {"all"}; // the judge sees the poison
  Case.CpuLimitSeconds = Opts.Most.LaunchSeconds;
  Case.TimeLimitSeconds = Opts.Most.LaunchSeconds * Limits::Patience;
  Case.MemoryLimitBytes = Opts.Most.LaunchBytes;
  report::CaseResult Said = launch(Case);
  bool Unsafe = false, Other = false;
  for (const Diagnostic &Each : Said.Problems) {
    Fault What = faultOf(Each.Id);
    if (What == Fault::None)
      continue;
    // Its host code does not admit this case; it may well admit others.
    if (exitStatusOf(Each.Id) == ExitStatus::BadCase && What != Fault::NotOurs)
      What = Fault::Refused;
    (What == Fault::Unsafe ? Unsafe : Other) = true;
    R.charge(What);
    add(What == Fault::NotCompiled ? Stage::Compile
        : What == Fault::Unsafe    ? Stage::Safety
                                   : Stage::Run,
        Name, Each);
  }
  if (!Other && Unsafe) {
    // The sanitizer has found something: is it right all the same?
    Case.Check = false;
    for (const Diagnostic &Each : launch(Case).Problems)
      if (faultOf(Each.Id) == Fault::NotOurs)
        R.Judged = false;
  }
  return R.Judged && R.Compiled;
}

Error ProjectTrial::runAll() {
  for (const auto &[Index, Case] : enumerate(Cases)) {
    std::string To = formatv("{0}/{1}", Results, Index).str();
    if (std::error_code EC = sys::fs::create_directories(To))
      return createStringError(EC, To + ": " + EC.message());
    if (!runCase(Case, "public " + Case.Name))
      break;
  }
  return Error::success();
}

Error ProjectTrial::judgeAll() {
  Expected<std::vector<ForeignVerdict>> Verdicts =
      judgeForeign(T, Launches, Results, Opts.Largest);
  if (!Verdicts)
    return Verdicts.takeError();
  if (Verdicts->size() != Cases.size())
    return createStringError("the judge has other cases");
  for (const auto &[Index, Verdict] : enumerate(*Verdicts)) {
    R.PublicRight += Verdict.Right;
    if (Verdict.Right)
      continue;
    R.Correct = false;
    add(Stage::Run, "public " + Cases[Index].Name,
        {DiagId::ValueMismatch, {}, Verdict.Why, {}});
  }
  return Error::success();
}

void ProjectTrial::checkStatically() {
  check::Checker::Options Check;
  Check.Compiler.Sandbox = Opts.Sandbox;
  Check.CpuTime = toMilliseconds(Opts.Most.CheckSeconds);
  // As long as for a launch: the checker is ours, and never sleeps.
  Check.Timeout = std::chrono::ceil<std::chrono::seconds>(
      toMilliseconds(std::max(Opts.Most.CheckSeconds, Opts.Most.LaunchSeconds) *
                     Limits::Patience));
  Expected<check::Checker> Checker = check::Checker::create(Check);
  if (!Checker)
    return notOurs(Stage::Check, Checker.takeError());
  check::CheckRequest Request;
  Request.Source = Kernel;
  Request.Soc = Opts.Soc;
  Request.Defines = T.Defines;
  Request.IncludeDirs = includes();
  Request.OpHost = Host;
  Request.OpHost.Op = Cases.front().OpHost.Op;
  Request.IgnoreAllowances = true;
  chargeCheck(Checker->check(Request), R,
              [&](const Diagnostic &What) { add(Stage::Check, "", What); });
}

Result ProjectTrial::evaluate(StringRef Packed) {
  if (Error E = prepare(Packed)) {
    notOurs(Stage::Compile, std::move(E));
    return std::move(R);
  }
  if (Cases.empty()) {
    notOurs(Stage::Run, createStringError(T.Id + " has no cases"));
    return std::move(R);
  }
  R.Compiled = R.Correct = R.Safe = true;
  if (!How.Refused.empty()) {
    R.charge(Fault::NotCompiled);
    add(Stage::Compile, "",
        toDiagnostic(
            makeError(DiagId::CompileError,
                      "the candidate is not understood: " + How.Refused)));
    return std::move(R);
  }
  if (Host.Sources.empty() || !sys::fs::exists(Kernel)) {
    R.charge(Fault::NotCompiled);
    add(Stage::Compile, "",
        toDiagnostic(makeError(DiagId::CompileError,
                               "the project has no op_kernel/" + How.Kernel +
                                   ".cpp, or nothing in op_host")));
    return std::move(R);
  }
  if (Error E = runAll())
    notOurs(Stage::Run, std::move(E));
  if (R.Compiled && R.Judged)
    if (Error E = judgeAll())
      notOurs(Stage::Run, std::move(E));
  if (R.Compiled && R.Judged)
    checkStatically();
  return std::move(R);
}

Result belay::bench::evaluateProject(const Evaluator::Options &Opts,
                                     const Task &T, StringRef Packed) {
  return ProjectTrial(Opts, T).evaluate(Packed);
}
