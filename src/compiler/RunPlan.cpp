//===- RunPlan.cpp - Running the command lines of a plan ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/RunPlan.h"
#include "cache/Dependencies.h"
#include "compiler/DeviceMessages.h"
#include "support/Files.h"
#include "support/Subprocess.h"
#include "toolchain/ToolFailure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;
using namespace belay::compiler;
using namespace belay::support;

static constexpr uint64_t MaxObjectBytes = uint64_t(1) << 30;
static constexpr uint64_t MaxDepfileBytes = 64 << 20;
static constexpr uint64_t ToolMemory = uint64_t(16) << 30;
/// Lines of a log that are repeated where nothing in it is an error.
static constexpr size_t ShownLogLines = 5;

static Diagnostic failure(const Twine &Message) {
  return {DiagId::DeviceCompilerFailed, {}, Message.str(), {}};
}

/// What a tool gets to see of the caller's environment: nothing that would
/// change its result behind the cache's back (CPATH, CCC_OVERRIDE_OPTIONS...).
static std::vector<std::string> toolEnvironment(const Cann &With,
                                                StringRef Folder) {
  std::vector<std::string> Env = {"TMPDIR=" + Folder.str(), "LANG=C",
                                  "ASCEND_HOME_PATH=" + With.Root,
                                  "LD_LIBRARY_PATH=" + With.libraryPath()};
  for (const char *Name : {"PATH", "HOME"})
    if (const char *Value = std::getenv(Name))
      Env.push_back(std::string(Name) + "=" + Value);
  return Env;
}

/// The last lines of a log, as notes.
static void quoteLog(Diagnostic &Diag, StringRef Log) {
  SmallVector<StringRef, 16> Lines;
  Log.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : ArrayRef(Lines).take_back(ShownLogLines))
    Diag.Notes.push_back({{}, "it said: " + Line.take_front(500).str()});
}

static std::string formatTime(std::chrono::milliseconds Time) {
  bool WholeSeconds = Time.count() % 1000 == 0;
  return std::to_string(WholeSeconds ? Time.count() / 1000 : Time.count()) +
         (WholeSeconds ? " s" : " ms");
}

static std::vector<Diagnostic> explain(const ProcessResult &Ran,
                                       StringRef Program, StringRef Log,
                                       StringRef Source, StringRef Shown,
                                       StringRef Folder,
                                       std::chrono::milliseconds Timeout) {
  StringRef Name = sys::path::filename(Program);
  if (std::string Why = belay::toolchain::faultOfMachine(Ran, Folder);
      !Why.empty()) {
    Diagnostic Diag{DiagId::BelayFailed,
                    {},
                    formatv("{0} failed on {1}: {2}", Name, Shown, Why),
                    {{{}, "this says nothing about the source"}}};
    quoteLog(Diag, Log);
    return {Diag};
  }
  switch (Ran.How) {
  case ProcessResult::Status::TimedOut:
    return {failure(formatv("{0} did not finish {1} within {2} and was ended",
                            Name, Shown, formatTime(Timeout)))};
  case ProcessResult::Status::Exited: {
    std::vector<Diagnostic> Errors =
        readDeviceErrors(Ran.Err + "\n" + Ran.Out, Source, Shown);
    if (!Errors.empty())
      return Errors;
    break;
  }
  case ProcessResult::Status::NotRun:
  case ProcessResult::Status::NotConfined:
  case ProcessResult::Status::Signaled:
  case ProcessResult::Status::TooLarge:
    break;
  }
  Diagnostic Diag = failure(
      formatv("{0} failed on {1}: {2}", Name, Shown, Ran.describe()).str());
  quoteLog(Diag, Log);
  return {Diag};
}

/// Whether this is what a compiler makes: ELF, or an archive of it.
static bool isBinary(StringRef Content) {
  return Content.size() > 16 && (Content.starts_with(StringRef("\x7f"
                                                               "ELF",
                                                               4)) ||
                                 Content.starts_with("!<arch>\n"));
}

static void readObject(RunOutcome &Outcome, const std::string &Path,
                       StringRef Program) {
  StringRef Name = sys::path::filename(Program);
  if (!sys::fs::exists(Path)) {
    Outcome.Problems = {
        failure(Name + " reported success, but wrote no output")};
    quoteLog(Outcome.Problems.front(), Outcome.Log);
    return;
  }
  Expected<std::string> Object = readFile(Path, MaxObjectBytes);
  if (!Object) {
    Outcome.Problems = {failure(toString(Object.takeError()))};
    return;
  }
  if (!isBinary(*Object)) {
    Outcome.Problems = {failure(formatv(
        "{0} reported success, but its output of {1} bytes is no object file",
        Name, Object->size()))};
    return;
  }
  Outcome.Object = std::move(*Object);
}

static std::optional<std::vector<std::string>>
readHeaders(const CompilePlan &Plan, StringRef Source, StringRef Folder) {
  std::vector<std::string> Headers;
  for (const std::string &Path : Plan.Depfiles) {
    Expected<std::string> Makefile = readFile(Path, MaxDepfileBytes);
    if (!Makefile) {
      consumeError(Makefile.takeError());
      return std::nullopt;
    }
    std::vector<std::string> Listed =
        belay::cache::parseDependencies(*Makefile);
    // A list without the source is a list of something else.
    if (!is_contained(Listed, Source))
      return std::nullopt;
    for (std::string &Header : Listed) {
      SmallString<128> Full(Header);
      sys::path::make_absolute(Folder, Full);
      std::string Absolute = Full.str().str();
      if (Absolute != Source && !is_contained(Headers, Absolute))
        Headers.push_back(std::move(Absolute));
    }
  }
  if (Plan.Depfiles.empty())
    return std::nullopt;
  return Headers;
}

RunOutcome belay::compiler::runPlan(const CompilePlan &Plan, const Cann &With,
                                    StringRef Folder, StringRef Source,
                                    StringRef Shown,
                                    std::chrono::milliseconds Timeout) {
  RunOutcome Outcome;
  for (const std::vector<std::string> &Command : Plan.Commands) {
    ProcessSpec Spec;
    Spec.Args = Command;
    Spec.ClearEnv = true;
    Spec.Env = toolEnvironment(With, Folder);
    Spec.WorkingDir = Folder.str();
    Spec.Timeout = Timeout;
    Spec.AddressSpaceBytes = ToolMemory;
    Spec.FileBytes = MaxObjectBytes;
    Spec.MaxCapturedBytes = 4 << 20;
    ProcessResult Ran = runProcess(Spec);
    Outcome.Log += readableLog(Ran.Err + Ran.Out, Source, Shown);
    if (Ran.succeeded())
      continue;
    Outcome.Problems = explain(Ran, Command.front(), Outcome.Log, Source, Shown,
                               Folder, Timeout);
    return Outcome;
  }
  readObject(Outcome, Plan.Object, Plan.Commands.back().front());
  if (Outcome.Problems.empty())
    Outcome.Headers = readHeaders(Plan, Source, Folder);
  return Outcome;
}
