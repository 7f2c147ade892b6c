//===- RunCommand.cpp - belay run -----------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "LaunchConditions.h"
#include "ProofReport.h"
#include "RunProgram.h"
#include "RunRequest.h"

#define BELAY_OPTIONS "options/Run.inc"
#include "OptionTable.h"

#include "cases/CaseFile.h"
#include "launch/CaseRunner.h"
#include "launch/MutationSpec.h"
#include "report/SarifReport.h"
#include "toolchain/Program.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>

using namespace belay;
using namespace belay::cases;
using namespace belay::launch;
using namespace belay::report;
using namespace belay::support;
using namespace belay::toolchain;
using namespace belay::tool;
using namespace llvm;

using Format = RunFormat;
using Request = RunRequest;
using OptionValue = Arguments::OptionValue;

static Error bad(const OptionValue &Each, const char *Wanted) {
  return createStringError(
      formatv("{0} takes {1}, not '{2}'", Each.Name, Wanted, Each.Value));
}

template <class T> static Error readWhole(const OptionValue &Each, T &Number) {
  if (Each.Value.getAsInteger(0, Number))
    return bad(Each, "a whole number");
  return Error::success();
}

static Error readReal(const OptionValue &Each, double &Number) {
  if (Each.Value.getAsDouble(Number) || !(Number >= 0))
    return bad(Each, "a number that is not negative");
  return Error::success();
}

static Error readSeconds(const OptionValue &Each, double &Seconds) {
  constexpr double Most = 1e9; // whatever fits into milliseconds
  if (Each.Value.getAsDouble(Seconds) || !(Seconds > 0) || !(Seconds < Most))
    return bad(Each, "a number of seconds above 0");
  return Error::success();
}

static Error readBytes(const OptionValue &Each, uint64_t &Bytes) {
  std::optional<uint64_t> Parsed = parseBytes(Each.Value);
  if (!Parsed)
    return bad(Each, "a number of bytes, as 4096 or 16M");
  Bytes = *Parsed;
  return Error::success();
}

static Error readSwitch(const OptionValue &Each, bool &On) {
  if (Each.Value != "on" && Each.Value != "off")
    return bad(Each, "on or off");
  On = Each.Value == "on";
  return Error::success();
}

static Error readFormat(const OptionValue &Each, Request &Request) {
  std::optional<Format> As = StringSwitch<std::optional<Format>>(Each.Value)
                                 .Case("text", Format::Text)
                                 .Case("json", Format::Json)
                                 .Case("sarif", Format::Sarif)
                                 .Default(std::nullopt);
  if (!As)
    return bad(Each, "text, json or sarif");
  Request.As = *As;
  Request.Options.PrintToStderr = Request.As != Format::Text;
  return Error::success();
}

static Error readTrace(const OptionValue &Each, std::string &TracePath) {
  SmallString<128> Path(Each.Value);
  if (std::error_code EC = sys::fs::make_absolute(Path))
    return createStringError(EC, Each.Value + ": " + EC.message());
  // The cores that write have no way to say that they cannot.
  StringRef Folder = sys::path::parent_path(Path);
  if (std::error_code EC = sys::fs::access(Folder, sys::fs::AccessMode::Write))
    return createStringError(EC, "--trace: " + Folder + ": " + EC.message());
  TracePath = Path.str().str();
  return Error::success();
}

namespace {

/// What has to wait until all options of a case are known.
struct Pending {
  /// Told apart by their order.
  std::vector<ArgSpec> Args;
  std::vector<StringRef> Expect;
  std::optional<double> Rtol, Atol;
};

} // namespace

static Error addArg(const OptionValue &Each, ArgSpec::Role Role, Pending &To) {
  Expected<ArgSpec> Arg = parseArg(Role, Each.Value);
  if (!Arg)
    return Arg.takeError();
  To.Args.push_back(std::move(*Arg));
  return Error::success();
}

/// Applies one option to a case and to the run as a whole. All cases get all
/// options, so what changes the run is applied several times.
static Error apply(const OptionValue &Each, Case &Case, Pending &Later,
                   Request &Request) {
  CaseRunner::Options &Run = Request.Options;
  StringRef Value = Each.Value;
  switch (static_cast<Opt>(Each.Id)) {
  case Opt::case_: // readCases() and runRun() have read these
  case Opt::stream:
    break;
  case Opt::arg:
  case Opt::l:
    return createStringError(Each.Name +
                             " is for programs; no file defines main()");
  case Opt::try_:
  case Opt::try_all:
  case Opt::save:
    return createStringError(Each.Name + " is for belay tune");
  case Opt::in_:
    return addArg(Each, ArgSpec::Role::In, Later);
  case Opt::out:
    return addArg(Each, ArgSpec::Role::Out, Later);
  case Opt::inout:
    return addArg(Each, ArgSpec::Role::InOut, Later);
  case Opt::scalar:
    return addArg(Each, ArgSpec::Role::Scalar, Later);
  case Opt::expect:
    Later.Expect.push_back(Value);
    break;
  case Opt::rtol:
    return readReal(Each, Later.Rtol.emplace());
  case Opt::atol:
    return readReal(Each, Later.Atol.emplace());
  case Opt::kernel:
    Case.Kernel = Value.str();
    break;
  case Opt::soc:
    Case.Soc = Value.str();
    break;
  case Opt::blocks:
    return readWhole(Each, Case.Blocks);
  case Opt::op_host:
    Case.OpHost.Sources.push_back(Value.str());
    break;
  case Opt::op:
    Case.OpHost.Op = Value.str();
    break;
  case Opt::attr: {
    auto [Attr, Text] = Value.split('=');
    if (Attr.empty() || !Value.contains('='))
      return bad(Each, "NAME=VALUE");
    Case.OpHost.Attrs.emplace_back(Attr.str(), Text.str());
    break;
  }
  case Opt::tiling:
    return Case.Tiling.parse(Value);
  case Opt::tiling_struct:
    Case.Tiling.Struct = Value.str();
    break;
  case Opt::tiling_header:
    Case.Tiling.Header = Value.str();
    break;
  case Opt::tiling_key:
    return readWhole(Each, Case.TilingKey);
  case Opt::workspace:
    return readBytes(Each, Case.WorkspaceBytes.emplace());
  case Opt::task: {
    std::optional<sim::TaskKind> Kind = parseTaskKind(Value);
    if (!Kind)
      return bad(Each, "vector, cube, mix11 or mix12");
    Case.Task = *Kind;
    break;
  }
  case Opt::time_limit:
    return readReal(Each, Case.TimeLimitSeconds);
  case Opt::memory_limit:
    return readBytes(Each, Case.MemoryLimitBytes);
  case Opt::compile_time_limit: {
    double Seconds = 0;
    if (Error E = readSeconds(Each, Seconds))
      return E;
    Run.Compiler.TimeLimit =
        std::chrono::milliseconds(static_cast<int64_t>(Seconds * 1000));
    break;
  }
  case Opt::compile_memory_limit:
    return readBytes(Each, Run.Compiler.MemoryLimitBytes);
  case Opt::budget:
    return readSeconds(Each, Run.BudgetSeconds);
  case Opt::D:
    Case.Defines.push_back(Value.str());
    break;
  case Opt::I:
    Case.IncludeDirs.push_back(Value.str());
    break;
  case Opt::check:
    Case.Check = true;
    break;
  case Opt::allow_unwritten:
    Case.AllowUnwritten.push_back(Value.str());
    break;
  case Opt::conditions:
    Request.Conditions = true;
    break;
  case Opt::deny:
    Case.Deny = true;
    break;
  case Opt::auto_sync:
    return readSwitch(Each, Case.CompilerSync);
  case Opt::optimise:
    return readSwitch(Each, Case.Optimise);
  case Opt::jobs:
    return readWhole(Each, Run.Slots);
  case Opt::repeat:
    if (Error E = readWhole(Each, Run.Repeat))
      return E;
    if (Run.Repeat == 0)
      return bad(Each, "a number above 0");
    break;
  case Opt::sealed:
    Run.Sealed = true;
    Run.Compiler.Sandbox = !Request.NoSandbox;
    break;
  case Opt::no_sandbox:
    Request.NoSandbox = true;
    Run.Compiler.Sandbox = false;
    break;
  case Opt::schedules:
    return readWhole(Each, Run.Orders.Count);
  case Opt::schedule_seed:
    return readWhole(Each, Run.Orders.FirstSeed);
  case Opt::trace:
    return readTrace(Each, Run.TracePath);
  case Opt::counts:
    Run.Count = true;
    break;
  case Opt::time:
    Run.Time = true;
    break;
  case Opt::timeline:
    if (!Value.ends_with(".html") && !Value.ends_with(".json"))
      return bad(Each, "a file with the suffix .html or .json");
    Run.Time = true;
    if (!is_contained(Run.Timelines, Value))
      Run.Timelines.push_back(Value.str());
    break;
  case Opt::max_cycles:
    Run.Time = true;
    return readWhole(Each, Run.MaxCycles.emplace());
  case Opt::mutate: {
    Expected<sim::Mutation> Change = parseMutation(Value);
    if (!Change)
      return Change.takeError();
    Run.Change = *Change;
    break;
  }
  case Opt::gdb: {
    ErrorOr<std::string> Gdb = sys::findProgramByName("gdb");
    if (!Gdb)
      return createStringError("--gdb: there is no gdb in PATH");
    Run.Debugger = std::move(*Gdb);
    Run.Compiler.Debug = true;
    break;
  }
  case Opt::keep:
    Run.KeepDir = Value.str();
    break;
  case Opt::no_cache:
    Run.Compiler.CacheRoot.clear();
    break;
  case Opt::format:
    return readFormat(Each, Request);
  case Opt::v:
    Run.Compiler.Verbose = true;
    break;
  }
  return Error::success();
}

static bool has(const Arguments &Args, Opt Wanted) {
  return any_of(Args.Options, [&](const OptionValue &Each) {
    return static_cast<Opt>(Each.Id) == Wanted;
  });
}

/// The cases of the files named on the command line, or the one that the
/// command line describes.
static Error readCases(const Arguments &Args, Request &Request) {
  bool FromFiles = all_of(
      Args.Positional, [](StringRef Path) { return Path.ends_with(".json"); });
  if (!FromFiles) {
    if (Args.Positional.size() != 1)
      return createStringError("one kernel source, or case files, not both");
    Case &Only = Request.Cases.emplace_back();
    Only.Source = Args.Positional[0].str();
    if (Only.Source != "-")
      return Error::success();
    Expected<SourceText> Source = readInput(Only.Source);
    if (!Source)
      return Source.takeError();
    Only.Source = std::move(Source->Name);
    Only.Text = std::move(Source->Text);
    return Error::success();
  }
  for (StringRef Path : Args.Positional) {
    Expected<std::vector<Case>> Cases = readCaseFile(Path);
    if (!Cases)
      return Cases.takeError();
    for (Case &Case : *Cases) {
      auto Names = [&](const OptionValue &Each) {
        return static_cast<Opt>(Each.Id) == Opt::case_ &&
               Each.Value == Case.Name;
      };
      if (!has(Args, Opt::case_) || any_of(Args.Options, Names))
        Request.Cases.push_back(std::move(Case));
    }
  }
  if (Request.Cases.empty())
    return createStringError("no case has the name given with --case");
  return Error::success();
}

/// Applies all options to a case.
static Error applyOptions(const Arguments &Args, Case &Case, Request &Request) {
  Pending Later;
  for (const OptionValue &Each : Args.Options)
    if (Error E = apply(Each, Case, Later, Request))
      return E;
  if (!Later.Args.empty())
    Case.Args = std::move(Later.Args);
  for (StringRef Expect : Later.Expect)
    if (Error E = attachExpectation(Case, Expect, Later.Rtol, Later.Atol))
      return E;
  return Error::success();
}

/// Options of the same name replace each other, but who names two kernels wants
/// both.
static Error refuseSecondKernel(const Arguments &Args) {
  auto IsKernel = [](const OptionValue &Each) {
    return Each.Id == static_cast<unsigned>(Opt::kernel);
  };
  if (count_if(Args.Options, IsKernel) < 2)
    return Error::success();
  return createStringError("--kernel is given twice, and a launch has one "
                           "kernel; belay compare takes FILE#KERNEL for each");
}

Expected<RunRequest> belay::tool::readRunRequest(const Arguments &Args) {
  Request Result;
  if (Error E = refuseSecondKernel(Args))
    return E;
  if (has(Args, Opt::stream)) {
    // Its cases come later; what changes the run is needed now.
    Case None;
    Pending Later;
    for (const OptionValue &Each : Args.Options)
      if (Error E = apply(Each, None, Later, Result))
        return E;
    return Result;
  }
  if (Error E = readCases(Args, Result))
    return E;
  for (Case &Case : Result.Cases)
    if (Error E = applyOptions(Args, Case, Result))
      return E;
  return Result;
}

/// Lets the runner ask for conditions, if the request wants them.
static Error prepareConditions(Request &Request) {
  if (!Request.Conditions)
    return Error::success();
  Expected<LaunchConditions> Made =
      LaunchConditions::create(Request.Options.Compiler);
  if (!Made)
    return Made.takeError();
  auto Shared = std::make_shared<LaunchConditions>(std::move(*Made));
  Request.Options.OnLaunch = [Shared](const Case &Case, StringRef Kernel,
                                      const ArgumentBuffers &Arguments) {
    return Shared->unmet(Case, Kernel, Arguments);
  };
  return Error::success();
}

/// The forms that are printed once, when all is known.
static void printWhole(Format As, ArrayRef<CaseResult> Results) {
  if (As == Format::Json)
    printJson(outs(), Results);
  else if (As == Format::Sarif)
    printSarif(outs(), Results, BELAY_VERSION);
}

static int reportError(Format As, Error E) {
  CaseResult Failed;
  Failed.Problems.push_back(toDiagnostic(std::move(E)));
  if (As == Format::Text)
    printResult(outs(), errs(), Failed);
  else
    printWhole(As, Failed);
  return static_cast<int>(exitStatusOf(ArrayRef(Failed)));
}

/// The cases of one line of a stream: one, or several with "cases".
static Expected<std::vector<Case>> readLine(const Arguments &Args,
                                            Request &Request, StringRef Line) {
  Expected<std::vector<Case>> Cases = parseCases(Line, /*Directory=*/"");
  if (!Cases)
    return Cases.takeError();
  for (Case &Case : *Cases) {
    if (Case.Source.empty() && !Args.Positional.empty())
      Case.Source = Args.Positional[0].str();
    if (Error E = applyOptions(Args, Case, Request))
      return E;
  }
  return Cases;
}

/// Answers each line of standard input before it reads the next, so that a
/// program can decide what to ask by what it has heard.
static int runStream(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() > 1)
    return usageError(Self, "--stream takes at most one kernel source");
  Expected<Request> Request = readRunRequest(Args);
  if (!Request)
    return reportError(Format::Text, Request.takeError());
  Request->Options.PrintToStderr = true;
  if (Error E = prepareConditions(*Request))
    return reportError(Format::Text, std::move(E));
  Expected<CaseRunner> Runner = CaseRunner::create({}, Request->Options);
  if (!Runner)
    return reportError(Format::Text, Runner.takeError());

  int Gravest = 0;
  auto Answer = [&](const CaseResult &Result) {
    printJsonLine(outs(), Result);
    outs().flush();
    Gravest =
        std::max(Gravest, static_cast<int>(exitStatusOf(ArrayRef(Result))));
  };
  char *Line = nullptr;
  size_t Room = 0;
  while (::getline(&Line, &Room, stdin) > 0) {
    if (StringRef(Line).trim().empty())
      continue;
    Expected<std::vector<Case>> Cases = readLine(Args, *Request, Line);
    if (!Cases) {
      CaseResult Failed;
      Failed.Problems.push_back(toDiagnostic(Cases.takeError()));
      Answer(Failed);
      continue;
    }
    for (const Case &Case : *Cases) {
      CaseResult Result = Runner->run(Case);
      addProof(Result, Case.Source);
      Answer(Result);
    }
  }
  std::free(Line);
  return Gravest;
}

static int runRun(const Command &Self, const Arguments &Args) {
  if (has(Args, Opt::stream))
    return runStream(Self, Args);
  if (Args.Positional.empty())
    return usageError(Self, "no kernel source and no case file is given");
  if (isProgram(Args.Positional))
    return runProgram(Self, Args);
  Expected<Request> Request = readRunRequest(Args);
  if (!Request)
    return reportError(Format::Text, Request.takeError());
  if (Request->Cases.size() > 1 && !Request->Options.Timelines.empty())
    return usageError(Self,
                      "--timeline is for one case: choose it with --case");
  if (!Request->Options.Debugger.empty() &&
      (Request->Cases.size() > 1 || Request->Options.Sealed ||
       Request->Options.Orders.Count || Request->Options.Repeat > 1))
    return usageError(Self, "--gdb is for one launch of one case, and not for "
                            "--sealed, --schedules or --repeat");
  // Other forms are made of what the compiler says.
  Request->Options.Compiler.Colors =
      Request->As == Format::Text && Styling(errs()).isEnabled();
  if (Error E = prepareConditions(*Request))
    return reportError(Request->As, std::move(E));
  Expected<CaseRunner> Runner =
      CaseRunner::create(Request->Cases, Request->Options);
  if (!Runner)
    return reportError(Request->As, Runner.takeError());

  std::vector<CaseResult> Results;
  size_t NumPassed = 0;
  for (const Case &Case : Request->Cases) {
    Results.push_back(Runner->run(Case));
    addProof(Results.back(), Case.Source);
    NumPassed += Results.back().passed();
    if (Request->As == Format::Text)
      printResult(outs(), errs(), Results.back());
  }
  printWhole(Request->As, Results);
  if (Request->As == Format::Text && Results.size() > 1)
    outs() << NumPassed << " of " << Results.size() << " cases passed\n";
  return static_cast<int>(exitStatusOf(Results));
}

namespace belay::tool {
extern const Command RunCommand;
const Command RunCommand = {
    "run",
    "run a kernel in the simulator",
    "KERNEL.cpp | - | CASES.json... | PROGRAM.cpp... | --stream [OPTIONS]",
    R"(
Compiles an AscendC kernel for the simulated AI Core, launches it and reports
what it did. Arguments bind to the kernel's parameters in the order in which
they are given; workspace and tiling, which follow them by custom, are added.

A kernel of the kernel language (belay/kernel.h) is built first. Its arguments are
those of its source: tensors for its views, in order and with all extents
(f32:8x1024), scalars for its scalars. What it expects of a launch is checked
before it starts, and what is found while it runs is shown at its own lines.

VALUES are zeros, ones, value:V, normal:SEED[:MEAN:STD], uniform:SEED:LO:HI,
randint:SEED:LO:HI, range[:START[:STEP]], or a .npy or .bin file. TYPE is f16,
bf16, f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, bool or c64. bf16 is stored
in .npy files as the uint16 of its bits.

A tensor of an operator may be none, if it is optional, or a list:
--in '[f32:4=ones; f32:8=zeros]'.

Files of which one defines main() are a program. They are compiled with their
kernels, launches <<<>>> included, and run as a whole on the simulated device
(docs/device.md): --soc, --check, -D, -I, --arg, --time-limit and --memory-limit
apply, and the exit status is the program's.

With --stream, standard input has one case on each line, of the form that a case
file has; paths are relative to the working directory, and KERNEL.cpp is the source
where a case names none. The answer to a line is printed before the next is read,
and a kernel is compiled once, when it is first launched.

A kernel named - is read from standard input.

The kernel runs in a child process under limits. Of several exit statuses ('belay
help' lists them) the highest counts, and what was found before a crash is
reported all the same.
)",
    optionTable,
    R"(
belay run softmax.cpp --kernel 'softmax<1024>' --blocks 8 \
    --in f32:100x1024=normal:1 --out f32:100x1024=y.npy
belay run add.cpp --blocks 8 --in f16:16384=normal:1 --in f16:16384=normal:2 \
    --out f16:16384=z.npy --tiling totalLength=16384,tileNum=8
belay run add.cpp ... --expect ref.npy --rtol 1e-3
belay run op_kernel/relu.cpp --op-host op_host/relu.cpp --attr slope=0.1 \
    --in f32:1024=normal:1 --out f32:1024=y.npy
belay run cases.json --case small
belay run --stream --check --deny softmax.cpp < launches.jsonl > verdicts.jsonl
belay run main.cpp kernels.cpp --arg 1024
)",
    runRun,
};
} // namespace belay::tool
