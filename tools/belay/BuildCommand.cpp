//===- BuildCommand.cpp - belay build -------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "ObjectFile.h"
#include "ProofReport.h"
#include "TargetsCommand.h"

#define BELAY_OPTIONS "options/Build.inc"
#include "OptionTable.h"

#include "report/SarifReport.h"
#include "sandbox/Sandbox.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "support/Styling.h"
#include "support/Subprocess.h"
#include "targets/Target.h"
#include "toolchain/CompilerMessages.h"
#include "toolchain/Confinement.h"
#include "toolchain/KernelCompiler.h"
#include "toolchain/KernelScan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <unistd.h>

using namespace belay;
using namespace belay::tool;
using namespace llvm;
using belay::support::Diagnostic;
using belay::support::ProcessResult;
using belay::support::ProcessSpec;

/// Compiling a kernel takes seconds; one that takes these is a mistake or an
/// attack.
static constexpr std::chrono::minutes CompileTimeout{5};
static constexpr uint64_t CompileMemory = uint64_t(16) << 30;
static constexpr uint64_t LargestFile = 256 << 20;

static constexpr StringLiteral Forms[] = {"ascend-ir", "core-ir",    "plan",
                                          "plan-json", "ascendc",    "pto",
                                          "launcher",  "description"};

/// What --kernel names is pasted into C++.
static bool isKernelName(StringRef Name) {
  return !Name.empty() && all_of(Name, [](char C) {
    return isAlnum(C) || StringRef("_:<>,.+-*() ").contains(C);
  });
}

namespace {
struct BuildRequest {
  StringRef Soc = "Ascend910B3";
  std::vector<StringRef> Kernels;
  std::optional<StringRef> Emit, Output;
  /// Who orders what --emit pto writes; "" for the default.
  StringRef Sync;
  bool Deny = false, Embed = false;
  /// text, json or sarif.
  StringRef Format = "text";
  /// For Clang: -D, -I.
  std::vector<std::string> ClangArgs;
  std::optional<StringRef> Tuned;
  bool HasSoc = false;
  /// "" for the default.
  StringRef TimeLimit;
  std::chrono::milliseconds Timeout = CompileTimeout;
  bool Sandbox = false;
  std::vector<std::string> IncludeDirs;
  /// What was tuned; Soc and Kernels may refer to it.
  std::string TunedSoc, TunedKernel;
};
} // namespace

static BuildRequest readRequest(const Arguments &Args) {
  BuildRequest Result;
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::kernel:
      Result.Kernels.push_back(Each.Value);
      break;
    case Opt::tuned:
      Result.Tuned = Each.Value;
      break;
    case Opt::format:
      Result.Format = Each.Value;
      break;
    case Opt::soc:
      Result.Soc = Each.Value;
      Result.HasSoc = true;
      break;
    case Opt::o:
      Result.Output = Each.Value;
      break;
    case Opt::deny:
      Result.Deny = true;
      break;
    case Opt::embed:
      Result.Embed = true;
      break;
    case Opt::emit:
      Result.Emit = Each.Value;
      break;
    case Opt::sync:
      Result.Sync = Each.Value;
      break;
    case Opt::explain:
      Result.Emit = "plan";
      break;
    case Opt::time_limit:
      Result.TimeLimit = Each.Value;
      break;
    case Opt::sandbox:
      Result.Sandbox = true;
      break;
    case Opt::I:
      Result.IncludeDirs.push_back(
          toolchain::folderOf((Each.Value + "/.").str()));
      [[fallthrough]];
    case Opt::D:
      Result.ClangArgs.push_back((Each.Name + Each.Value).str());
      break;
    }
  return Result;
}

/// Why the command line makes no sense, or "".
static std::string findMistake(const Arguments &Args, BuildRequest &Request) {
  if (Args.Positional.size() != 1)
    return "name one file with kernels";
  if (!Request.TimeLimit.empty()) {
    unsigned Seconds = 0;
    if (Request.TimeLimit.getAsInteger(10, Seconds) || !Seconds)
      return "--time-limit takes whole seconds";
    Request.Timeout = std::chrono::seconds(Seconds);
  }
  if (Request.Embed && (!Request.Output || Request.Emit || Request.Sandbox ||
                        Args.Positional[0] == "-"))
    return "--embed writes a header for a file into the folder of -o; --emit "
           "and "
           "--sandbox do not go with it";
  if (Request.Sandbox && Request.Emit && Request.Output)
    return "--sandbox with --emit writes to standard output, not to a file";
  if (Request.Emit && !is_contained(Forms, *Request.Emit))
    return ("'" + *Request.Emit + "' cannot be emitted; " +
            join(ArrayRef(Forms), ", ") + " can")
        .str();
  if (!is_contained({"text", "json", "sarif"}, Request.Format))
    return "'" + Request.Format.str() +
           "' is no format; text, json and sarif are";
  if (Request.Format != "text" && (Request.Emit || Request.Embed))
    return "--format " + Request.Format.str() +
           " is a report; --emit, --explain and --embed write something else";
  if (!Request.Sync.empty() && Request.Emit != StringRef("pto"))
    return "--sync is for --emit pto";
  if (!Request.Sync.empty() && Request.Sync != "ours" &&
      Request.Sync != "ptoas")
    return "--sync takes ours or ptoas";
  if (std::string Mistake = mistakeInSoc(Request.Soc); !Mistake.empty())
    return Mistake;
  for (StringRef Kernel : Request.Kernels)
    if (!isKernelName(Kernel))
      return ("'" + Kernel + "' is not the name of a kernel").str();
  if (Request.Output && !Request.Emit && sys::fs::exists(*Request.Output) &&
      !sys::fs::is_directory(*Request.Output))
    return ("-o takes a folder, which '" + *Request.Output +
            "' is not; with --emit it takes a file")
        .str();
  return "";
}

/// Takes over what `belay tune --save` wrote.
static Error applyTuned(BuildRequest &Request, StringRef Source) {
  constexpr uint64_t MaxBytes = 1 << 20;
  StringRef Path = *Request.Tuned;
  Expected<std::string> Text = belay::support::readFile(Path, MaxBytes);
  if (!Text)
    return Text.takeError();
  Expected<json::Value> Parsed = json::parse(*Text);
  if (!Parsed)
    return createStringError(Path + ": " + toString(Parsed.takeError()));
  const json::Object *Found = Parsed->getAsObject();
  if (!Found || Found->getInteger("version") != 1)
    return createStringError(Path + ": not written by belay tune --save");
  std::optional<StringRef> From = Found->getString("source");
  if (!From || sys::path::filename(*From) != sys::path::filename(Source))
    return createStringError(Path + ": is for '" + From.value_or("") +
                             "', not for '" + Source + "'");
  StringRef Soc = Found->getString("soc").value_or("Ascend910B3");
  if (Request.HasSoc && Soc != Request.Soc)
    return createStringError(Path + ": was tuned for " + Soc + ", not for " +
                             Request.Soc);
  Request.TunedSoc = Soc.str();
  Request.Soc = Request.TunedSoc;
  if (std::optional<StringRef> Kernel = Found->getString("kernel")) {
    Request.TunedKernel = Kernel->str();
    Request.Kernels.push_back(Request.TunedKernel);
  }
  if (const json::Array *Defines = Found->getArray("defines"))
    for (const json::Value &Each : *Defines)
      if (std::optional<StringRef> Define = Each.getAsString())
        Request.ClangArgs.push_back(("-D" + *Define).str());
  return Error::success();
}

static ProcessSpec makeCompiler(const BuildRequest &Request,
                                StringRef SourceName, bool FromStdin) {
  ProcessSpec Spec;
  Spec.Args = {belay::support::getLibexecPath("belay-kernelc"),
               "--include-dir=" + belay::support::getIncludePath(),
               "--soc=" + Request.Soc.str()};
  if (Request.Format == "text" && belay::support::Styling(errs()).isEnabled())
    Spec.Args.push_back("--colors");
  if (Request.Deny)
    Spec.Args.push_back("--deny");
  for (StringRef Kernel : Request.Kernels)
    Spec.Args.push_back("--kernel=" + Kernel.str());
  for (const std::string &Arg : Request.ClangArgs)
    Spec.Args.push_back("--clang-arg=" + Arg);
  if (Request.Emit)
    Spec.Args.push_back("--emit=" + Request.Emit->str());
  if (!Request.Sync.empty())
    Spec.Args.push_back("--sync=" + Request.Sync.str());
  if (Request.Output)
    Spec.Args.push_back((Request.Emit ? "-o=" : "--out-dir=") +
                        Request.Output->str());
  if (FromStdin)
    Spec.Args.push_back("--from-stdin");
  // A name that starts with a dash is still a name.
  Spec.Args.push_back("--");
  Spec.Args.push_back(SourceName.str());
  Spec.ShowOutput = Request.Format == "text";
  Spec.Timeout = Request.Timeout;
  Spec.AddressSpaceBytes = CompileMemory;
  Spec.FileBytes = LargestFile;
  return Spec;
}

/// What the compiler of an untrusted source can reach.
static Expected<sandbox::Policy> policyFor(const BuildRequest &Request,
                                           StringRef Source) {
  Expected<toolchain::Tools> Tools = toolchain::Tools::find();
  if (!Tools)
    return Tools.takeError();
  sandbox::Policy P = toolchain::policyOfReader(*Tools);
  P.Read.push_back(toolchain::folderOf(Source));
  append_range(P.Read, Request.IncludeDirs);
  if (Request.Output) {
    if (std::error_code EC = sys::fs::create_directories(*Request.Output))
      return createStringError(EC, *Request.Output + ": " + EC.message());
    P.Write.push_back(toolchain::folderOf((*Request.Output + "/.").str()));
  }
  return P;
}

/// Whether the compiler has said why it ended with a status.
static bool wasExplained(int Status) {
  return Status == toInt(ExitStatus::BadCase) ||
         Status == toInt(ExitStatus::NotCompiled) ||
         Status == toInt(ExitStatus::Failed);
}

/// The kernels that were built, for programs on the simulated device.
static int embed(const BuildRequest &Request, StringRef Source) {
  cases::Case Wanted;
  Wanted.Source = Source.str();
  Wanted.Soc = Request.Soc.str();
  Wanted.Deny = Request.Deny;
  for (StringRef Arg : Request.ClangArgs)
    (Arg.starts_with("-D") ? Wanted.Defines : Wanted.IncludeDirs)
        .push_back(Arg.drop_front(2).str());
  // What was not proven has been said by the build.
  toolchain::MessageListener Quiet(/*MaxBytes=*/1 << 20);
  Expected<std::string> Path =
      embedObject(Wanted, {Request.Kernels.begin(), Request.Kernels.end()},
                  *Request.Output);
  if (!Path)
    return reportError(Path.takeError());
  outs() << "the kernels for programs on the simulated device: " << *Path
         << '\n';
  return ExitSuccess;
}

/// Prints what was said of the source as --format asks for it.
static int reportAs(StringRef Format, const ProcessResult &Result,
                    const std::string &Source) {
  bool Exited = Result.How == ProcessResult::Status::Exited;
  bool Accepted = Exited && Result.Code == ExitSuccess;
  report::CaseResult Said = reportProof(Source, Result.Err, Accepted);
  // "softmax<1024> for Ascend910B3, proven (21 properties): ..."
  SmallVector<StringRef> Lines, Names;
  StringRef(Result.Out).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    Names.push_back(Line.split(" for ").first);
    // Guards have been warned of; were one not, this would still be no proof.
    report::TopicVerdict &Proof = Said.Verdicts.back();
    if (Proof.Verdict == "clean" && !Line.contains(", proven ("))
      Proof.Verdict = "unknown";
  }
  Said.Kernel = join(Names, ", ");
  int Status = Result.Code;
  if (!Accepted && Said.Problems.empty()) {
    Diagnostic Failure = belay::support::toDiagnostic(
        toolchain::explainLanguageFailure(Result, Source));
    if (!Exited || !wasExplained(Status))
      Status = toInt(belay::support::exitStatusOf(Failure.Id));
    Said.Problems.push_back(std::move(Failure));
  }
  if (Format == "sarif") {
    report::printSarif(outs(), Said, BELAY_VERSION);
    return Status;
  }
  outs() << "{\"passed\": " << (Accepted ? "true" : "false")
         << ", \"exitStatus\": " << Status << ", \"cases\": [";
  report::printJsonLine(outs(), Said);
  outs() << "]}\n";
  return Status;
}

static int runBuild(const Command &Self, const Arguments &Args) {
  BuildRequest Request = readRequest(Args);
  if (Request.Tuned && Args.Positional.size() == 1)
    if (Error E = applyTuned(Request, Args.Positional[0]))
      return reportError(std::move(E));
  if (std::string Mistake = findMistake(Args, Request); !Mistake.empty())
    return usageError(Self, Mistake);
  Expected<SourceText> Source = readInput(Args.Positional[0]);
  if (!Source)
    return reportError(Source.takeError());
  if (!toolchain::usesKernelLanguage(Source->Text) &&
      !toolchain::scanKernels(Source->Text).Kernels.empty())
    return usageError(Self, "'" + Source->Name +
                                "' is AscendC; 'belay check' and 'belay run' "
                                "take it");
  ProcessSpec Compiler =
      makeCompiler(Request, Source->Name, Args.Positional[0] == "-");
  Expected<belay::support::MemoryFile> Input =
      belay::support::MemoryFile::create("source", Source->Text.size());
  if (!Input)
    return reportError(Input.takeError());
  copy(belay::support::toBytes(Source->Text), Input->bytes().begin());
  Compiler.Fds.push_back({Input->fd(), STDIN_FILENO});
  std::optional<sandbox::Policy> Policy;
  if (Request.Sandbox) {
    Expected<sandbox::Policy> Made = policyFor(Request, Source->Name);
    if (!Made)
      return reportError(Made.takeError());
    Policy = std::move(*Made);
  }
  ProcessResult Result = sandbox::run(Policy ? &*Policy : nullptr, Compiler);
  if (Request.Format != "text")
    return reportAs(Request.Format, Result, Source->Name);
  bool Exited = Result.How == ProcessResult::Status::Exited;
  if (Exited && Result.Code == ExitSuccess && Request.Embed)
    return embed(Request, Source->Name);
  if (Exited && (Result.Code == ExitSuccess || wasExplained(Result.Code)))
    return Result.Code;
  // Nobody reads on, as in 'belay build ... | head'.
  if (Result.How == ProcessResult::Status::Signaled && Result.Code == SIGPIPE)
    return ExitFailure;
  return reportError(toolchain::explainLanguageFailure(Result, Source->Name));
}

namespace belay::tool {
extern const Command BuildCommand;
const Command BuildCommand = {
    "build",
    "compile kernels of the kernel language",
    "KERNELS.cpp|- [OPTIONS]",
    R"(
Reads C++20 kernels written with belay/kernel.h, refuses what the language does
not have (pointers, goto, indices below 64 bits, tiles used after they were
moved), and turns them into AscendC C++: tiles get buffers, buffers share memory,
flags and barriers are placed, and their order is proven anew by a verifier of its
own.

Bounds, overflow, extents, loops and the disjointness of cores are proven for every
launch that the kernel's 'expects' admit. What is not proven gets a warning, with
values for which it fails, and a guard that stops the kernel before it happens;
with --deny it is an error.

Each kernel gets one line: proven or guarded, how many properties, how many guards
and at which lines. With -o DIR, each kernel gets three files, named after its entry point:
softmax<1024> becomes softmax_1024.cpp (AscendC), softmax_1024.h (a typed C++
launcher, which refuses launches that the kernel does not admit) and
softmax_1024.json (the same for other languages). 'belay run' takes the source
itself.
)",
    optionTable,
    R"(
belay build softmax.cpp --kernel 'softmax<1024>'       # proven, or guarded where
belay build softmax.cpp --kernel 'softmax<1024>' --deny -o out
belay build add.cpp --soc Ascend310P3 -o out  # kernels that are no templates
belay build add.cpp --format sarif            # what is not proven, for CI
belay build add.cpp --deny --embed -o out     # and out/add_object.h, for programs
belay build add.cpp --emit ascendc            # only show it, without #line
belay build add.cpp --emit pto -o add.pto     # PTO-MLIR: ptoas --pto-level=level3
belay build add.cpp --explain                 # which tile is in which memory, which
                                              # flags order what, what limits tiles
belay build softmax.cpp --tuned softmax.tuned.json -o out  # of belay tune --save
)",
    runBuild,
};
} // namespace belay::tool
