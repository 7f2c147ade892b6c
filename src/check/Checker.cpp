//===- Checker.cpp - Checks a file in a process of its own ----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Checker.h"
#include "ophost/OpHost.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "support/SourceFiles.h"
#include "targets/Target.h"
#include "toolchain/CompilerFlags.h"
#include "toolchain/Confinement.h"
#include "toolchain/KernelScan.h"
#include "llvm/ADT/STLExtras.h"
#include <unistd.h>

using namespace belay;
using namespace belay::check;
using namespace belay::support;
using namespace llvm;

static constexpr uint64_t MaxSourceBytes = 64 << 20;

Expected<Checker> Checker::create(Options Opts) {
  Expected<toolchain::KernelCompiler> Compiler =
      toolchain::KernelCompiler::create(Opts.Compiler);
  if (!Compiler)
    return Compiler.takeError();
  return Checker(Opts, std::move(*Compiler));
}

/// As kernels are compiled for the simulator, with the marks of functions left
/// in the tree.
std::vector<std::string> Checker::flagsFor(const CheckRequest &Request,
                                           bool HoldsProgram) const {
  const targets::Soc *Soc = targets::findSoc(Request.Soc);
  std::vector<std::string> Flags = toolchain::baseFlags(Soc->arch->number);
  if (Soc->split)
    for (const std::string &Macro : toolchain::coreMacros(
             Soc->arch->number,
             Request.Cube ? sim::CoreKind::Cube : sim::CoreKind::Vector))
      Flags.push_back("-D" + Macro);
  Flags.push_back("-DBELAY_STATIC=1");
  const toolchain::Tools &Tools = Compiler.tools();
  append_range(Flags, Tools.headerFlags());
  for (const std::string &Define : Request.Defines)
    Flags.push_back("-D" + Define);
  for (const std::string &Dir : Request.IncludeDirs)
    Flags.push_back("-I" + Dir);
  if (HoldsProgram)
    append_range(Flags, Tools.hostFlags());
  // Last, so that a project's own file of the same name wins.
  Flags.push_back("-I" + Tools.ShareDir + "/forwarding");
  append_range(Flags, Request.ClangArgs);
  return Flags;
}

/// Writes what the operator's host code says to a file of its own.
Expected<std::string> Checker::preludeFor(const CheckRequest &Request) {
  if (!Request.OpHost.given())
    return std::string();
  cases::Case Case;
  Case.Source = Request.Source;
  Case.Soc = Request.Soc;
  Case.OpHost = Request.OpHost;
  Case.Defines = Request.Defines;
  Case.IncludeDirs = Request.IncludeDirs;
  Expected<std::string> Text = ophost::preludeOfOperator(Case, Compiler);
  if (!Text)
    return Text.takeError();
  Expected<std::string> Path = Compiler.scratchPath(".h");
  if (!Path)
    return Path.takeError();
  if (Error E = writeFile(*Path, toBytes(*Text)))
    return std::move(E);
  return Path;
}

/// Whether options change what a header means that is included first.
static bool changesMacros(ArrayRef<std::string> ClangArgs) {
  return any_of(ClangArgs, [](StringRef Arg) {
    return Arg.starts_with("-D") || Arg.starts_with("-U") || Arg == "-include";
  });
}

/// Of PTO-MLIR, which includes nothing.
static std::vector<std::string> commandForPto(const CheckRequest &Request) {
  std::vector<std::string> Args = {
      belay::support::getLibexecPath("belay-ptocheck"), "--soc=" + Request.Soc};
  if (Request.Text)
    Args.push_back("--from-stdin");
  Args.push_back("--");
  Args.push_back(Request.Source);
  return Args;
}

std::vector<std::string> Checker::commandFor(const CheckRequest &Request,
                                             const std::string &Prelude) {
  if (Request.Pto)
    return commandForPto(Request);
  std::vector<std::string> Args = {
      belay::support::getLibexecPath("belay-checker"), "--soc=" + Request.Soc};
  if (Request.Quick)
    Args.push_back("--quick");
  if (Request.IgnoreAllowances)
    Args.push_back("--ignore-assumptions");
  if (Request.Effort != 1)
    Args.push_back("--effort=" + std::to_string(Request.Effort));
  if (!Request.CompilerSync)
    Args.push_back("--no-auto-sync");
  if (Request.Text)
    Args.push_back("--from-stdin");
  Expected<std::string> Text =
      Request.Text ? *Request.Text : readFile(Request.Source, MaxSourceBytes);
  if (!Text) {
    consumeError(Text.takeError());
    Text = "";
  }
  bool HoldsProgram = toolchain::definesMain(*Text);
  for (const std::string &Flag : flagsFor(Request, HoldsProgram))
    Args.push_back("--clang-arg=" + Flag);
  // What kernel_operator.h means must not depend on the file.
  if (!HoldsProgram && Request.Defines.empty() &&
      !changesMacros(Request.ClangArgs) &&
      toolchain::includesFirst(*Text, "kernel_operator.h")) {
    CheckRequest Alone;
    Alone.Soc = Request.Soc;
    Alone.Cube = Request.Cube;
    if (std::optional<std::string> Api =
            Compiler.precompiledApi(flagsFor(Alone, false))) {
      Args.push_back("--clang-arg=-include-pch");
      Args.push_back("--clang-arg=" + *Api);
      Args.push_back("--clang-arg=-fpch-validate-input-files-content");
    }
  }
  if (!Prelude.empty()) {
    Args.push_back("--clang-arg=-include");
    Args.push_back("--clang-arg=" + Prelude);
  }
  // A name that starts with a dash is still a name.
  Args.push_back("--");
  Args.push_back(Request.Source);
  return Args;
}

static Report failed(DiagId Id, const std::string &Source,
                     const std::string &Message) {
  Report Failed;
  Diagnostic D;
  D.Id = Id;
  D.Where = {Source, 0, 0};
  D.Message = Message;
  Failed.Problems.push_back(std::move(D));
  return Failed;
}

/// A limit is a matter of the file; everything else is one of ours.
static Report explainFailure(const ProcessResult &Result,
                             const std::string &Source,
                             std::chrono::milliseconds Limit, bool OfCpu) {
  const std::string Nothing = "nothing can be said about the file: ";
  if (Result.Starved)
    return failed(DiagId::BelayFailed, Source,
                  Nothing + "the machine did not give the checker the CPU time "
                            "that it may have");
  if (Result.How == ProcessResult::Status::TimedOut)
    return failed(DiagId::CheckLimit, Source,
                  Nothing + "the check timed out after " +
                      std::to_string(Limit.count() / 1000) + " s" +
                      (OfCpu ? " of CPU time" : ""));
  if (Result.How == ProcessResult::Status::TooLarge ||
      StringRef(Result.Err).contains("out of memory"))
    return failed(DiagId::CheckLimit, Source,
                  Nothing + "the check reached its memory limit");
  if (Result.How == ProcessResult::Status::NotConfined)
    return failed(DiagId::NoSandbox, Source, Nothing + Result.Error);
  return failed(DiagId::BelayFailed, Source,
                Nothing + "Belay's checker failed: " + Result.describe() +
                    (Result.Error.empty() ? "" : " (" + Result.Error + ")"));
}

/// A source that asks who reads it may be another one on the device, of which
/// nothing is known.
static void doubtJudgeQuestions(Report &R, const CheckRequest &Request) {
  auto Asks = [&](const std::string &File) {
    std::optional<std::string> Text = Request.Text && File == Request.Source
                                          ? Request.Text
                                          : readSource(File);
    return Text && !isOwnHeader(File) && toolchain::asksForJudge(*Text);
  };
  std::vector<std::string> Files = R.Files;
  Files.push_back(Request.Source);
  auto Asking = find_if(Files, Asks);
  if (Asking == Files.end())
    return;
  for (KernelReport &K : R.Kernels)
    for (unsigned T = 0; T < NumTopics; ++T)
      K.Doubts[static_cast<Topic>(T)].push_back(
          {{*Asking, 0, 0},
           "the source asks whether Belay reads it; the device may get another "
           "kernel"});
}

Report Checker::check(const CheckRequest &Request) {
  allowSources(Request.Source);
  Expected<std::string> Prelude = preludeFor(Request);
  if (!Prelude)
    return failed(DiagId::OpHostFailed, Request.Source,
                  toString(Prelude.takeError()));
  ProcessSpec Spec;
  Spec.Args = commandFor(Request, *Prelude);
  Spec.Timeout = Opts.Timeout;
  Spec.CpuTime = Opts.CpuTime;
  Spec.DataBytes = Opts.MemoryBytes;
  std::optional<MemoryFile> Input;
  if (Request.Text) {
    Expected<MemoryFile> Made =
        MemoryFile::create("source", Request.Text->size());
    if (!Made)
      return failed(DiagId::BelayFailed, Request.Source,
                    toString(Made.takeError()));
    Input = std::move(*Made);
    llvm::copy(toBytes(*Request.Text), Input->bytes().begin());
    Spec.Fds.push_back({Input->fd(), STDIN_FILENO});
  }
  Compiler.allowToRead(Request.Source,
                       toolchain::foldersOf(Request.IncludeDirs));
  ProcessResult Result = Compiler.runReader(Spec);
  if (Result.succeeded()) {
    Expected<Report> R = parseReport(Result.Out);
    if (R) {
      R->Messages = std::move(Result.Err);
      allowSources(R->Files);
      if (!Request.IgnoreAllowances)
        applyAllowances(*R, Request.Source, Request.Text);
      doubtJudgeQuestions(*R, Request);
      return std::move(*R);
    }
    Result.Error = toString(R.takeError());
  }
  Report R = explainFailure(Result, Request.Source,
                            Opts.CpuTime.count() ? Opts.CpuTime : Opts.Timeout,
                            Opts.CpuTime.count());
  R.Messages = std::move(Result.Err);
  return R;
}

static void addDoubt(report::TopicVerdict &V, const Doubt &D, Verdict Of) {
  if (Of == Verdict::CleanIf)
    V.Conditions.push_back({D.Where, D.If->Text});
  else
    V.Reasons.push_back({D.Where, D.Why});
}

std::vector<report::CaseResult> belay::check::toResults(const Report &R,
                                                        StringRef Source) {
  std::vector<report::CaseResult> Results;
  if (R.Kernels.empty() || !R.Problems.empty()) {
    Results.emplace_back();
    Results.back().Name = Source.str();
    Results.back().Problems = R.Problems;
  }
  for (const KernelReport &K : R.Kernels) {
    report::CaseResult &Result = Results.emplace_back();
    Result.Name = Source.str();
    Result.Kernel = K.Name;
    Result.Problems = K.Findings;
    for (unsigned T = 0; T < NumTopics; ++T) {
      auto Each = static_cast<Topic>(T);
      report::TopicVerdict V;
      V.Topic = nameOf(Each).str();
      V.Verdict = nameOf(R.verdictOf(K, Each)).str();
      if (auto At = K.Silenced.find(Each); At != K.Silenced.end()) {
        Result.Silenced += At->second;
        if (R.verdictOf(K, Each) == Verdict::Clean)
          V.Verdict = "silenced";
      }
      if (auto At = K.Doubts.find(Each); At != K.Doubts.end())
        // What no launch decides is the first reason.
        for (bool Decided : {false, true})
          for (const Doubt &D : At->second)
            if (D.If.has_value() == Decided)
              addDoubt(V, D, R.verdictOf(K, Each));
      Result.Verdicts.push_back(std::move(V));
    }
  }
  return Results;
}
