//===- RunCommand.cpp - belay run -----------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "RunProgram.h"

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

namespace {

enum class Format { Text, Json, Sarif };

/// The command line, taken apart.
struct Request {
  std::vector<Case> Cases;
  CaseRunner::Options Options;
  Format As = Format::Text;
};

} // namespace

static Error bad(StringRef Option, StringRef Value, const char *Wanted) {
  return createStringError(
      formatv("--{0} takes {1}, not '{2}'", Option, Wanted, Value));
}

template <class T>
static Error readWhole(StringRef Option, StringRef Value, T &Number) {
  if (Value.getAsInteger(0, Number))
    return bad(Option, Value, "a whole number");
  return Error::success();
}

static Error readReal(StringRef Option, StringRef Value, double &Number) {
  if (Value.getAsDouble(Number) || !(Number >= 0))
    return bad(Option, Value, "a number that is not negative");
  return Error::success();
}

static Error readBytes(StringRef Option, StringRef Value, uint64_t &Bytes) {
  std::optional<uint64_t> Parsed = parseBytes(Value);
  if (!Parsed)
    return bad(Option, Value, "a number of bytes, as 4096 or 16M");
  Bytes = *Parsed;
  return Error::success();
}

/// An option that changes a case. Arguments, which are told apart by their
/// order, are added to Args; expectations wait until all of them are known.
static Error applyToCase(Case &Case, StringRef Name, StringRef Value,
                         std::vector<ArgSpec> &Args) {
  for (ArgSpec::Role Role : {ArgSpec::Role::In, ArgSpec::Role::Out,
                             ArgSpec::Role::InOut, ArgSpec::Role::Scalar}) {
    if (Name != nameOf(Role))
      continue;
    Expected<ArgSpec> Arg = parseArg(Role, Value);
    if (!Arg)
      return Arg.takeError();
    Args.push_back(std::move(*Arg));
    return Error::success();
  }
  if (Name == "kernel")
    Case.Kernel = Value.str();
  else if (Name == "soc")
    Case.Soc = Value.str();
  else if (Name == "blocks")
    return readWhole(Name, Value, Case.Blocks);
  else if (Name == "op-host")
    Case.OpHost.Sources.push_back(Value.str());
  else if (Name == "op")
    Case.OpHost.Op = Value.str();
  else if (Name == "attr") {
    auto [Attr, Text] = Value.split('=');
    if (Attr.empty() || !Value.contains('='))
      return bad(Name, Value, "NAME=VALUE");
    Case.OpHost.Attrs.emplace_back(Attr.str(), Text.str());
  } else if (Name == "tiling")
    return Case.Tiling.parse(Value);
  else if (Name == "tiling-struct")
    Case.Tiling.Struct = Value.str();
  else if (Name == "tiling-header")
    Case.Tiling.Header = Value.str();
  else if (Name == "tiling-key")
    return readWhole(Name, Value, Case.TilingKey);
  else if (Name == "workspace")
    return readBytes(Name, Value, Case.WorkspaceBytes.emplace());
  else if (Name == "time-limit")
    return readReal(Name, Value, Case.TimeLimitSeconds);
  else if (Name == "memory-limit")
    return readBytes(Name, Value, Case.MemoryLimitBytes);
  else if (Name == "D")
    Case.Defines.push_back(Value.str());
  else if (Name == "I")
    Case.IncludeDirs.push_back(Value.str());
  else if (Name == "check")
    Case.Check = true;
  else if (Name == "allow-unwritten")
    Case.AllowUnwritten.push_back(Value.str());
  else if (Name == "deny")
    Case.Deny = true;
  else if (Name == "auto-sync") {
    if (Value != "on" && Value != "off")
      return bad(Name, Value, "on or off");
    Case.CompilerSync = Value == "on";
  } else if (Name == "optimise") {
    if (Value != "on" && Value != "off")
      return bad(Name, Value, "on or off");
    Case.Optimise = Value == "on";
  } else if (Name == "task") {
    std::optional<sim::TaskKind> Kind = parseTaskKind(Value);
    if (!Kind)
      return bad(Name, Value, "vector, cube, mix11 or mix12");
    Case.Task = *Kind;
  }
  return Error::success();
}

/// An option that changes the run as a whole.
static Error applyToRun(Request &Request, StringRef Name, StringRef Value) {
  CaseRunner::Options &Options = Request.Options;
  if (Name == "jobs")
    return readWhole(Name, Value, Options.Slots);
  if (Name == "repeat") {
    if (Error E = readWhole(Name, Value, Options.Repeat))
      return E;
    if (Options.Repeat == 0)
      return bad(Name, Value, "a number above 0");
  } else if (Name == "schedules") {
    return readWhole(Name, Value, Options.Orders.Count);
  } else if (Name == "schedule-seed") {
    return readWhole(Name, Value, Options.Orders.FirstSeed);
  } else if (Name == "trace") {
    SmallString<128> Path(Value);
    if (std::error_code EC = sys::fs::make_absolute(Path))
      return createStringError(EC, Value + ": " + EC.message());
    // The cores that write have no way to say that they cannot.
    StringRef Folder = sys::path::parent_path(Path);
    if (std::error_code EC =
            sys::fs::access(Folder, sys::fs::AccessMode::Write))
      return createStringError(EC, "--trace: " + Folder + ": " + EC.message());
    Options.TracePath = Path.str().str();
  } else if (Name == "counts") {
    Options.Count = true;
  } else if (Name == "mutate") {
    Expected<sim::Mutation> Change = parseMutation(Value);
    if (!Change)
      return Change.takeError();
    Options.Change = *Change;
  } else if (Name == "keep") {
    Options.KeepDir = Value.str();
  } else if (Name == "no-cache") {
    Options.Compiler.CacheRoot.clear();
  } else if (Name == "v") {
    Options.Compiler.Verbose = true;
  } else if (Name == "format") {
    std::optional<Format> As = StringSwitch<std::optional<Format>>(Value)
                                   .Case("text", Format::Text)
                                   .Case("json", Format::Json)
                                   .Case("sarif", Format::Sarif)
                                   .Default(std::nullopt);
    if (!As)
      return bad(Name, Value, "text, json or sarif");
    Request.As = *As;
    Options.PrintToStderr = Request.As != Format::Text;
  }
  return Error::success();
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
      std::vector<StringRef> Wanted = Args.getAll("case");
      if (Wanted.empty() || is_contained(Wanted, Case.Name))
        Request.Cases.push_back(std::move(Case));
    }
  }
  if (Request.Cases.empty())
    return createStringError("no case has the name given with --case");
  return Error::success();
}

/// All options that change a case.
static Error applyOptions(const Arguments &Args, Case &Case) {
  std::optional<double> Rtol, Atol;
  std::vector<ArgSpec> Positional;
  for (auto [Name, Value] : Args.Options) {
    if (Name == "rtol" || Name == "atol")
      if (Error E =
              readReal(Name, Value, (Name == "rtol" ? Rtol : Atol).emplace()))
        return E;
    if (Error E = applyToCase(Case, Name, Value, Positional))
      return E;
  }
  if (!Positional.empty())
    Case.Args = std::move(Positional);
  for (StringRef Expect : Args.getAll("expect"))
    if (Error E = attachExpectation(Case, Expect, Rtol, Atol))
      return E;
  return Error::success();
}

static Expected<Request> readRequest(const Arguments &Args) {
  Request Result;
  if (!Args.has("stream"))
    if (Error E = readCases(Args, Result))
      return E;
  for (auto [Name, Value] : Args.Options)
    if (Error E = applyToRun(Result, Name, Value))
      return E;
  for (Case &Case : Result.Cases)
    if (Error E = applyOptions(Args, Case))
      return E;
  return Result;
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
                                            StringRef Line) {
  Expected<std::vector<Case>> Cases = parseCases(Line, /*Directory=*/"");
  if (!Cases)
    return Cases.takeError();
  for (Case &Case : *Cases) {
    if (Case.Source.empty() && !Args.Positional.empty())
      Case.Source = Args.Positional[0].str();
    if (Error E = applyOptions(Args, Case))
      return E;
  }
  return Cases;
}

/// Answers each line of standard input before it reads the next, so that a
/// program can decide what to ask by what it has heard.
static int runStream(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() > 1)
    return usageError(Self, "--stream takes at most one kernel source");
  Expected<Request> Request = readRequest(Args);
  if (!Request)
    return reportError(Format::Text, Request.takeError());
  Request->Options.PrintToStderr = true;
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
    Expected<std::vector<Case>> Cases = readLine(Args, Line);
    if (!Cases) {
      CaseResult Failed;
      Failed.Problems.push_back(toDiagnostic(Cases.takeError()));
      Answer(Failed);
      continue;
    }
    for (const Case &Case : *Cases)
      Answer(Runner->run(Case));
  }
  std::free(Line);
  return Gravest;
}

static int runRun(const Command &Self, const Arguments &Args) {
  if (Args.has("stream"))
    return runStream(Self, Args);
  if (Args.Positional.empty())
    return usageError(Self, "no kernel source and no case file is given");
  if (isProgram(Args.Positional))
    return runProgram(Self, Args);
  Expected<Request> Request = readRequest(Args);
  if (!Request)
    return reportError(Format::Text, Request.takeError());
  Request->Options.Compiler.Colors = Styling(errs()).isEnabled();
  Expected<CaseRunner> Runner =
      CaseRunner::create(Request->Cases, Request->Options);
  if (!Runner)
    return reportError(Request->As, Runner.takeError());

  std::vector<CaseResult> Results;
  size_t NumPassed = 0;
  for (const Case &Case : Request->Cases) {
    Results.push_back(Runner->run(Case));
    NumPassed += Results.back().passed();
    if (Request->As == Format::Text)
      printResult(outs(), errs(), Results.back());
  }
  printWhole(Request->As, Results);
  if (Request->As == Format::Text && Results.size() > 1)
    outs() << NumPassed << " of " << Results.size() << " cases passed\n";
  return static_cast<int>(exitStatusOf(Results));
}

static constexpr Option Options[] = {
    {"kernel", "NAME",
     "the __global__ function, or the kernel of the language:\n"
     "softmax<1024>; needed if there are several"},
    {"soc", "NAME", "the target; default Ascend910B3 (see 'belay targets')"},
    {"blocks", "N", "blocks of the launch; default 1"},
    {"in", "TYPE:SHAPE=VALUES | FILE.npy",
     "an input: f16:1024x64=normal:1, f32:64=data.bin, x.npy"},
    {"out", "TYPE:SHAPE[=FILE]",
     "an output, written to FILE.npy or FILE.bin if one is named"},
    {"inout", "INPUT[@FILE]", "an input that the kernel changes"},
    {"scalar", "TYPE=VALUE", "an argument by value: i32=5"},
    {"op-host", "FILE.cpp",
     "the operator's host code, which then decides blocks,\n"
     "tiling and workspace; may be repeated"},
    {"op", "TYPE", "the operator, if the host code defines several"},
    {"attr", "NAME=VALUE", "an attribute of the operator: dim=1, shape=2,3"},
    {"tiling", "FIELDS | FILE",
     "a=1,b.c=2,dims=[4,8], or the same in FILE.json,\n"
     "or the bytes of the structure in FILE.bin"},
    {"tiling-struct", "TYPE", "the structure, if the kernel registers none"},
    {"tiling-header", "FILE", "included before the kernel"},
    {"tiling-key", "K", "what TILING_KEY_IS compares with"},
    {"workspace", "BYTES", "size of the workspace; default 16M"},
    {"task", "KIND",
     "vector, cube, mix11 or mix12; default: what the kernel\nsays or needs"},
    {"expect", "[N=]FILE.npy",
     "compare the next (or the Nth) output with FILE"},
    {"rtol", "R", "relative tolerance; default as torch.testing for the type"},
    {"atol", "A", "absolute tolerance"},
    {"case", "NAME", "of a case file, run only this; may be repeated"},
    {"stream", "",
     "read cases from standard input, one a line, and answer\n"
     "each with one line of JSON"},
    {"D", "NAME[=VALUE]", "define a macro"},
    {"I", "DIR", "search headers here"},
    {"time-limit", "SECONDS", "stop the kernel after this; default 60"},
    {"memory-limit", "BYTES",
     "memory it may have beside its arguments;\n"
     "default 8G"},
    {"jobs", "N", "simulated cores that run at once; default one per CPU"},
    {"repeat", "N", "launch N times, report the median time"},
    {"trace", "PREFIX",
     "write the stream of instructions of each core, as text:\n"
     "PREFIX.aiv0.0 for vector core 0 of block 0"},
    {"counts", "",
     "say what was executed: instructions by pipe, products,\n"
     "bytes by path, synchronisation"},
    {"check", "", "look for races and for flags that do not pair up"},
    {"deny", "", "of a kernel of the language, refuse what is not proven"},
    {"allow-unwritten", "NAME|all",
     "with --check: elements of this output may stay unwritten;\n"
     "may be repeated"},
    {"auto-sync", "on|off",
     "with --check: whether bisheng inserts its flags;\ndefault on"},
    {"optimise", "on|off",
     "off: compile the kernel in a third of the time, for many\n"
     "small runs; default on"},
    {"schedules", "N",
     "then run N times with the pipes in random legal\n"
     "orders, and compare the outputs bit by bit"},
    {"schedule-seed", "SEED", "of the first of these orders; default 1"},
    {"mutate", "HOW@PLACE,...",
     "with --check, for test/campaigns/mutate: overlook or weaken\n"
     "the synchronisation at these places of a trace"},
    {"arg", "TEXT", "of a program: an argument; may be repeated"},
    {"l", "LIBRARY", "of a program: link this library, too"},
    {"keep", "DIR",
     "keep the compiled object, all arrays, and the AscendC that\n"
     "a kernel of the language became"},
    {"no-cache", "", "compile even if nothing has changed"},
    {"format", "text|json|sarif",
     "json, or SARIF 2.1.0: one object on stdout; what the\n"
     "kernel prints goes to stderr"},
    {"v", "", "show the commands that are run"},
};

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
    Options,
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
