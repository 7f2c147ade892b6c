//===- RunProgram.cpp - belay run of a whole program ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

#include "support/DiagnosticError.h"
#include "support/Diagnostics.h"
#include "support/Resources.h"
#include "support/Styling.h"
#include "support/Subprocess.h"
#include "toolchain/Program.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace belay;
using namespace belay::support;
using namespace belay::toolchain;
using namespace belay::tool;
using namespace llvm;

namespace {

constexpr double DefaultSeconds = 600;
constexpr uint64_t DefaultMemory = uint64_t(16) << 30;

/// Options that say how kernels without a program are launched.
constexpr StringLiteral OfKernels[] = {
    "kernel",         "blocks",  "in",        "out",       "inout",
    "scalar",         "op-host", "op",        "attr",      "tiling",
    "expect",         "case",    "workspace", "schedules", "trace",
    "mutate",         "format",  "repeat",    "task",      "deny",
    "allow-unwritten"};

} // namespace

static ProgramRequest readRequest(const Arguments &Args) {
  ProgramRequest Request;
  for (StringRef Source : Args.Positional)
    Request.Sources.push_back(Source.str());
  if (std::optional<StringRef> Soc = Args.get("soc"))
    Request.Soc = Soc->str();
  for (StringRef Define : Args.getAll("D"))
    Request.Defines.push_back(Define.str());
  for (StringRef Dir : Args.getAll("I"))
    Request.IncludeDirs.push_back(Dir.str());
  for (StringRef Library : Args.getAll("l"))
    Request.Libraries.push_back(Library.str());
  Request.Check = Args.has("check");
  return Request;
}

/// The program in a child process, with our terminal.
static int start(const Program &Built, const Arguments &Args,
                 const ProgramRequest &Request, double Seconds,
                 uint64_t Memory) {
  ProcessSpec Spec;
  Spec.Args = {Built.Executable};
  for (StringRef Argument : Args.getAll("arg"))
    Spec.Args.push_back(Argument.str());
  Spec.Env = {"BELAY_HOME=" + belay::support::getPrefix(),
              "BELAY_SOC=" + Request.Soc, "BELAY_DEVICE=simulated"};
  if (!Built.Kernels.empty())
    Spec.Env.push_back("BELAY_PROGRAM_KERNELS=" + Built.Kernels);
  if (Request.Check)
    Spec.Env.push_back("BELAY_CHECK=1");
  Spec.Timeout =
      std::chrono::milliseconds(static_cast<int64_t>(Seconds * 1000));
  Spec.ResidentBytes = Memory;
  Spec.Fds = {{STDIN_FILENO, STDIN_FILENO}};
  Spec.ShowOutput = true;
  ProcessResult Result = belay::support::runProcess(Spec);
  if (Result.How == ProcessResult::Status::Exited)
    return Result.Code;
  errs() << "belay: error: the program ended with " << Result.describe()
         << "\n";
  return toInt(Result.How == ProcessResult::Status::NotRun
                   ? ExitStatus::Failed
                   : ExitStatus::Stopped);
}

int belay::tool::runProgram(const Command &Self, const Arguments &Args) {
  for (StringRef Name : OfKernels)
    if (Args.has(Name))
      return usageError(Self, "--" + Name +
                                  " is for kernels alone; the program decides");
  double Seconds = DefaultSeconds;
  uint64_t Memory = DefaultMemory;
  if (std::optional<StringRef> Limit = Args.get("time-limit"))
    if (Limit->getAsDouble(Seconds) || !(Seconds > 0))
      return usageError(Self, "--time-limit takes a number of seconds");
  if (std::optional<StringRef> Limit = Args.get("memory-limit")) {
    std::optional<uint64_t> Bytes = parseBytes(*Limit);
    if (!Bytes)
      return usageError(Self, "--memory-limit takes a number of bytes");
    Memory = *Bytes;
  }
  ProgramRequest Request = readRequest(Args);
  KernelCompiler::Options Options;
  Options.Colors = Styling(errs()).isEnabled();
  Options.Verbose = Args.has("v");
  Expected<KernelCompiler> Compiler = KernelCompiler::create(Options);
  if (!Compiler)
    return reportError(Compiler.takeError());

  SmallString<128> Folder;
  scope_exit Cleanup([&] {
    if (!Args.has("keep") && !Folder.empty())
      sys::fs::remove_directories(Folder);
  });
  std::error_code EC;
  if (std::optional<StringRef> Keep = Args.get("keep")) {
    Folder = *Keep;
    EC = sys::fs::create_directories(Folder);
  } else {
    EC = sys::fs::createUniqueDirectory("belay-program", Folder);
  }
  if (!EC)
    EC = sys::fs::make_absolute(Folder);
  if (EC)
    return reportError(createStringError(EC, Folder + ": " + EC.message()));
  Expected<Program> Built = Program::build(Request, *Compiler, Folder);
  if (!Built)
    return reportError(Built.takeError());
  return start(*Built, Args, Request, Seconds, Memory);
}
