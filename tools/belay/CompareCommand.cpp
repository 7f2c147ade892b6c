//===- CompareCommand.cpp - belay compare ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "RunRequest.h"

#define BELAY_OPTIONS "options/Run.inc"
#include "OptionTable.h"

#include "report/ComparisonReport.h"
#include "report/RunReport.h"
#include "report/TimeReport.h"
#include "support/Subprocess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace belay;
using namespace belay::launch;
using namespace belay::report;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

namespace {

/// One of the two: [REV:]FILE[#KERNEL].
struct Contender {
  std::string Path, Kernel;
  /// The files of a commit, for as long as they are needed.
  std::string Folder;

  Contender() = default;
  Contender(Contender &&Other) { *this = std::move(Other); }
  Contender &operator=(Contender &&Other) {
    std::swap(Path, Other.Path);
    std::swap(Kernel, Other.Kernel);
    std::swap(Folder, Other.Folder);
    return *this;
  }
  ~Contender() {
    if (!Folder.empty())
      sys::fs::remove_directories(Folder);
  }
};

} // namespace

/// What a program prints, if it ends well.
static Expected<std::string> runTool(std::vector<std::string> Args) {
  ProcessSpec Spec;
  Spec.Args = std::move(Args);
  ProcessResult Done = runProcess(Spec);
  if (Done.How == ProcessResult::Status::Exited && Done.Code == 0)
    return StringRef(Done.Out).trim().str();
  return createStringError(Spec.Args[0] + ": " +
                           StringRef(Done.Err).rtrim().str() + Done.Error);
}

/// Puts the files of a commit, from the working directory on, into a folder.
static Error unpack(StringRef Revision, StringRef Folder) {
  Expected<std::string> Commit =
      runTool({"git", "rev-parse", "--verify", "--quiet", "--end-of-options",
               (Revision + "^{commit}").str()});
  if (!Commit) {
    consumeError(Commit.takeError());
    return createStringError("there is no file and no commit '" + Revision +
                             "'");
  }
  std::string Tar = (Folder + "/files.tar").str();
  Expected<std::string> Done =
      runTool({"git", "archive", "--format=tar", "-o", Tar, *Commit});
  if (Done)
    Done = runTool({"tar", "-xf", Tar, "-C", Folder.str()});
  return Done.takeError();
}

static Expected<std::string> checkOut(StringRef Revision) {
  SmallString<128> Folder;
  if (std::error_code EC =
          sys::fs::createUniqueDirectory("belay-compare", Folder))
    return createStringError(EC, "a temporary folder: " + EC.message());
  if (Error E = unpack(Revision, Folder)) {
    sys::fs::remove_directories(Folder);
    return std::move(E);
  }
  return Folder.str().str();
}

static Expected<Contender> readContender(StringRef Text) {
  Contender Result;
  auto [File, Kernel] = Text.split('#');
  Result.Kernel = Kernel.str();
  Result.Path = File.str();
  auto [Revision, Path] = File.split(':');
  if (Path.empty() || sys::fs::exists(File))
    return Result;
  Expected<std::string> Folder = checkOut(Revision);
  if (!Folder)
    return Folder.takeError();
  Result.Folder = std::move(*Folder);
  Result.Path = Result.Folder + "/" + Path.str();
  return Result;
}

/// Runs one of the two.
static Expected<CaseResult> measure(const Arguments &Args, const Contender &Who,
                                    RunFormat &As) {
  Arguments Mine = Args;
  Mine.Positional = {Who.Path};
  Expected<RunRequest> Request = readRunRequest(Mine);
  if (!Request)
    return Request.takeError();
  if (Request->Cases.size() != 1)
    return createStringError(
        "belay compare is for one case: choose it with --case");
  if (!Who.Kernel.empty())
    Request->Cases[0].Kernel = Who.Kernel;
  As = Request->As;
  CaseRunner::Options &Options = Request->Options;
  Options.Time = Options.AllDraws = Options.Count = true;
  Options.PrintToStderr = true;
  Options.Timelines.clear();
  Options.MaxCycles.reset();
  Expected<CaseRunner> Runner = CaseRunner::create(Request->Cases, Options);
  if (!Runner)
    return Runner.takeError();
  return Runner->run(Request->Cases[0]);
}

static int runCompare(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() != 2)
    return usageError(Self, "two kernels are compared");
  std::vector<CaseResult> Results;
  RunFormat As = RunFormat::Text;
  for (StringRef Each : Args.Positional) {
    Expected<Contender> Who = readContender(Each);
    if (!Who)
      return reportError(Who.takeError());
    Expected<CaseResult> Result = measure(Args, *Who, As);
    if (!Result)
      return reportError(Result.takeError());
    Results.push_back(std::move(*Result));
    if (!Results.back().passed() || !Results.back().Time) {
      printResult(errs(), errs(), Results.back());
      return toInt(exitStatusOf(Results));
    }
  }
  if (As == RunFormat::Text)
    printComparison(outs(), Args.Positional[0], Results[0], Args.Positional[1],
                    Results[1]);
  else
    outs() << formatv("{0:2}\n",
                      json::Value(comparisonToJson(Results[0], Results[1])));
  return ExitSuccess;
}

namespace belay::tool {
extern const Command CompareCommand;
const Command CompareCommand = {
    "compare",
    "what two kernels cost, side by side",
    "[REV:]A.cpp[#KERNEL] [REV:]B.cpp[#KERNEL] [OPTIONS of belay run]",
    R"(
Launches two kernels with the same arguments in the simulator and compares what
they cost: simulated cycles, instructions, bytes, synchronisation. The options
are those of belay run; case files may stand for kernels.

REV:FILE is a file of a commit, with all that it includes: HEAD~1:add.cpp.
FILE#KERNEL chooses a kernel of a file, which may be the same file twice.

One of the two is called faster only if it is in all draws of the costs, with the
same draw for both, and by 15 % in the middle; the rest is a tie. Cycles are those
of a model (docs/timing.md), not of a device.
)",
    optionTable,
    R"(
belay compare add.cpp add_tuned.cpp --blocks 8 --in f16:16384=normal:1 \
    --in f16:16384=normal:2 --out f16:16384
belay compare HEAD:add.cpp add.cpp --blocks 8 ...
belay compare 'softmax.cpp#softmax<1024, 1>' 'softmax.cpp#softmax<1024, 8>' \
    --in f32:512x1024=normal:1 --out f32:512x1024
)",
    runCompare,
};
} // namespace belay::tool
