//===- Validation.cpp - Whether a source may go to the device -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Validation.h"
#include "compiler/DeviceMessages.h"
#include "simulator/driver/CompilerFlags.h"
#include "simulator/driver/Files.h"
#include "simulator/driver/KernelScan.h"
#include "support/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace llvm;
using namespace belay;
using namespace belay::compiler;
using belay::support::ProcessResult;
using belay::support::ProcessSpec;

static constexpr std::chrono::minutes ParseTimeout{2};
static constexpr uint64_t ParseMemory = uint64_t(8) << 30;

StringRef belay::compiler::nameOf(Validation::Verdict What) {
  switch (What) {
  case Validation::Verdict::NotRun:
    return "not-run";
  case Validation::Verdict::Passed:
    return "passed";
  case Validation::Verdict::Findings:
    return "findings";
  case Validation::Verdict::Unknown:
    return "unknown";
  }
  llvm_unreachable("verdict outside its enumeration");
}

/// How Clang reads a kernel of the target.
static std::vector<std::string> parseFlags(const driver::Tools &Tools,
                                           const DeviceTarget &Target,
                                           StringRef SourceDir,
                                           const UserOptions &Options) {
  std::vector<std::string> Args = {Tools.Clang, "-fsyntax-only",
                                   "-fdiagnostics-color=never"};
  append_range(Args, driver::baseFlags(Target.Arch));
  if (exampleSoc(Target).split) {
    sim::CoreKind Kind =
        Target.Core == "cube" ? sim::CoreKind::Cube : sim::CoreKind::Vector;
    for (const std::string &Macro : driver::coreMacros(Target.Arch, Kind))
      Args.push_back("-D" + Macro);
  }
  append_range(Args, Options.Macros);
  if (!SourceDir.empty())
    Args.push_back("-iquote" + SourceDir.str());
  for (const std::string &Dir : Options.QuoteDirs)
    Args.push_back("-iquote" + Dir);
  // Belay's own first: the vendor's headers of the same names need its
  // compiler.
  Args.push_back("-I" + Tools.HeaderDir);
  Args.push_back("-I" + Tools.ShareDir);
  for (const std::string &Dir : Options.IncludeDirs)
    Args.push_back("-I" + Dir);
  Args.push_back("-I" + Tools.ShareDir + "/forwarding");
  for (const std::string &File : Options.Includes)
    Args.insert(Args.end(), {"-include", File});
  Args.insert(Args.end(), {"-x", "c++", "-"});
  return Args;
}

Validation belay::compiler::validateSource(const driver::Tools &Tools,
                                           const DeviceTarget &Target,
                                           StringRef Content, StringRef Shown,
                                           StringRef SourceDir,
                                           const UserOptions &Options) {
  using Verdict = Validation::Verdict;
  // Clang reads a pipe under the name that the user knows.
  std::string Text = "# 1 \"<kernel>\"\n" + driver::toStandardCpp(Content);
  Expected<driver::MemoryFile> Input =
      driver::MemoryFile::create("kernel", Text.size());
  if (!Input)
    return {Verdict::Unknown, toString(Input.takeError()), {}};
  llvm::copy(driver::toBytes(Text), Input->bytes().begin());

  ProcessSpec Spec;
  Spec.Args = parseFlags(Tools, Target, SourceDir, Options);
  Spec.ClearEnv = true;
  if (const char *Path = std::getenv("PATH"))
    Spec.Env.push_back(std::string("PATH=") + Path);
  Spec.Timeout = ParseTimeout;
  Spec.AddressSpaceBytes = ParseMemory;
  Spec.Fds.push_back({Input->fd(), 0});
  ProcessResult Parsed = runProcess(Spec);
  if (Parsed.succeeded())
    return {Verdict::Passed, "", {}};
  if (Parsed.How != ProcessResult::Status::Exited)
    return {Verdict::Unknown,
            formatv("clang could not read it: {0}{1}", Parsed.describe(),
                    Parsed.Error.empty() ? "" : ": " + Parsed.Error),
            {}};
  // What these headers do not have, the device's compiler may: it decides.
  auto Errors = readDeviceErrors(Parsed.Err, "<kernel>", Shown);
  if (Errors.empty())
    return {Verdict::Unknown, "clang could not read it", {}};
  const support::SourcePlace &Where = Errors.front().Where;
  return {Verdict::Unknown,
          formatv("Belay's headers cannot read it: {0}{1}{2}",
                  Where.File.empty()
                      ? std::string()
                      : Where.File + ":" + std::to_string(Where.Line) + ": ",
                  Errors.front().Message,
                  Errors.size() > 1
                      ? formatv(" (and {0} more)", Errors.size() - 1).str()
                      : std::string()),
          {}};
}
