//===- RunProgram.cpp - belay run of a whole program ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

#include "LaunchConditions.h"

#define BELAY_OPTIONS "options/Run.inc"
#include "OptionTable.h"

#include "support/DiagnosticError.h"
#include "support/Diagnostics.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "support/Styling.h"
#include "support/Subprocess.h"
#include "toolchain/DeviceObject.h"
#include "toolchain/KernelScan.h"
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

/// The command line, taken apart.
struct Wanted {
  ProgramRequest Request;
  std::vector<std::string> Arguments;
  double Seconds = DefaultSeconds;
  uint64_t Memory = DefaultMemory;
  std::string KeepDir;
  KernelCompiler::Options Compiler;
  bool Conditions = false;
};

} // namespace

/// Applies one option; says what is wrong with it, or "".
static std::string apply(const Arguments::OptionValue &Each, Wanted &To) {
  std::string Value = Each.Value.str();
  switch (static_cast<Opt>(Each.Id)) {
  case Opt::soc:
    To.Request.Soc = std::move(Value);
    break;
  case Opt::check:
    To.Request.Check = true;
    break;
  case Opt::conditions:
    To.Conditions = true;
    break;
  case Opt::D:
    To.Request.Defines.push_back(std::move(Value));
    break;
  case Opt::I:
    To.Request.IncludeDirs.push_back(std::move(Value));
    break;
  case Opt::l:
    To.Request.Libraries.push_back(std::move(Value));
    break;
  case Opt::arg:
    To.Arguments.push_back(std::move(Value));
    break;
  case Opt::time_limit:
    if (Each.Value.getAsDouble(To.Seconds) || !(To.Seconds > 0))
      return "--time-limit takes a number of seconds";
    break;
  case Opt::memory_limit: {
    std::optional<uint64_t> Bytes = parseBytes(Each.Value);
    if (!Bytes)
      return "--memory-limit takes a number of bytes";
    To.Memory = *Bytes;
    break;
  }
  case Opt::keep:
    To.KeepDir = std::move(Value);
    break;
  case Opt::no_cache:
    To.Compiler.CacheRoot.clear();
    break;
  case Opt::v:
    To.Compiler.Verbose = true;
    break;
  // These say how kernels without a program are launched.
  case Opt::allow_unwritten:
  case Opt::atol:
  case Opt::attr:
  case Opt::auto_sync:
  case Opt::blocks:
  case Opt::budget:
  case Opt::case_:
  case Opt::compile_memory_limit:
  case Opt::compile_time_limit:
  case Opt::counts:
  case Opt::deny:
  case Opt::expect:
  case Opt::format:
  case Opt::gdb:
  case Opt::in_:
  case Opt::inout:
  case Opt::jobs:
  case Opt::kernel:
  case Opt::max_cycles:
  case Opt::mutate:
  case Opt::op:
  case Opt::op_host:
  case Opt::optimise:
  case Opt::out:
  case Opt::repeat:
  case Opt::rtol:
  case Opt::scalar:
  case Opt::schedule_seed:
  case Opt::schedules:
  case Opt::sealed:
  case Opt::no_sandbox:
  case Opt::stream:
  case Opt::task:
  case Opt::tiling:
  case Opt::tiling_header:
  case Opt::tiling_key:
  case Opt::tiling_struct:
  case Opt::time:
  case Opt::timeline:
  case Opt::trace:
  case Opt::try_:
  case Opt::try_all:
  case Opt::save:
  case Opt::workspace:
    return (Each.Name + " is for kernels alone; the program decides").str();
  }
  return "";
}

/// Checks the files with kernels, and lets the device hold their launches
/// against the conditions.
static Error attachConditions(const Wanted &Wanted, StringRef Folder,
                              Program &Built) {
  if (Built.Kernels.empty())
    return Error::success();
  Expected<LaunchConditions> Checked =
      LaunchConditions::create(Wanted.Compiler);
  if (!Checked)
    return Checked.takeError();
  std::vector<conditions::KernelConditions> Table;
  for (const std::string &Source : Wanted.Request.Sources) {
    cases::Case Each;
    Each.Source = Source;
    Each.Soc = Wanted.Request.Soc;
    Each.Defines = Wanted.Request.Defines;
    Each.IncludeDirs = Wanted.Request.IncludeDirs;
    Expected<std::string> Text = readSourceOf(Each);
    if (!Text)
      return Text.takeError();
    if (scanKernels(*Text).Kernels.empty())
      continue;
    auto Required = Checked->ofAll(Each);
    if (!Required)
      return Required.takeError();
    append_range(Table, std::move(*Required));
  }
  std::string Output = (Folder + "/kernels-with-conditions").str();
  if (Error E = toolchain::attachConditions(Built.Kernels,
                                            conditions::encode(Table), Output))
    return E;
  Built.Kernels = std::move(Output);
  return Error::success();
}

/// The program in a child process, with our terminal.
static int start(const Program &Built, const Wanted &Wanted) {
  const ProgramRequest &Request = Wanted.Request;
  ProcessSpec Spec;
  Spec.Args = {Built.Executable};
  append_range(Spec.Args, Wanted.Arguments);
  Spec.Env = {"BELAY_HOME=" + belay::support::getPrefix(),
              "BELAY_SOC=" + Request.Soc, "BELAY_DEVICE=simulated"};
  if (!Built.Kernels.empty())
    Spec.Env.push_back("BELAY_PROGRAM_KERNELS=" + Built.Kernels);
  if (Request.Check)
    Spec.Env.push_back("BELAY_CHECK=1");
  Spec.Timeout =
      std::chrono::milliseconds(static_cast<int64_t>(Wanted.Seconds * 1000));
  Spec.ResidentBytes = Wanted.Memory;
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
  Wanted Wanted;
  for (StringRef Source : Args.Positional)
    Wanted.Request.Sources.push_back(Source.str());
  for (const Arguments::OptionValue &Each : Args.Options)
    if (std::string Mistake = apply(Each, Wanted); !Mistake.empty())
      return usageError(Self, Mistake);
  Wanted.Compiler.Colors = Styling(errs()).isEnabled();
  Expected<KernelCompiler> Compiler = KernelCompiler::create(Wanted.Compiler);
  if (!Compiler)
    return reportError(Compiler.takeError());

  SmallString<128> Folder;
  scope_exit Cleanup([&] {
    if (Wanted.KeepDir.empty() && !Folder.empty())
      sys::fs::remove_directories(Folder);
  });
  std::error_code EC;
  if (!Wanted.KeepDir.empty()) {
    Folder = Wanted.KeepDir;
    Wanted.Request.Keep = true;
    EC = sys::fs::create_directories(Folder);
  } else {
    EC = sys::fs::createUniqueDirectory("belay-program", Folder);
  }
  if (!EC)
    EC = sys::fs::make_absolute(Folder);
  if (EC)
    return reportError(createStringError(EC, Folder + ": " + EC.message()));
  Expected<Program> Built = Program::build(Wanted.Request, *Compiler, Folder);
  if (!Built)
    return reportError(Built.takeError());
  if (Wanted.Conditions)
    if (Error E = attachConditions(Wanted, Folder, *Built))
      return reportError(std::move(E));
  return start(*Built, Wanted);
}
