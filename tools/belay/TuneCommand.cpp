//===- TuneCommand.cpp - belay tune ---------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "RunRequest.h"

#define BELAY_OPTIONS "options/Run.inc"
#include "OptionTable.h"

#include "launch/CostFile.h"
#include "report/RunReport.h"
#include "report/TimeReport.h"
#include "support/DiagnosticError.h"
#include "support/Files.h"
#include "targets/Target.h"
#include "timing/Costs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <map>

using namespace belay;
using namespace belay::launch;
using namespace belay::report;
using namespace belay::support;
using namespace belay::tool;
using namespace llvm;

namespace {

/// What saves less than this is not followed further.
constexpr double Worthwhile = 0.99;

/// One parameter, and the values that it may have, in order.
struct Axis {
  std::string Name;
  std::vector<std::string> Values;
};
/// An index into the values of each axis.
using Point = std::vector<unsigned>;

struct Tried {
  /// Nothing if it cannot be launched, or need not be; Problem says why.
  std::shared_ptr<const TimeReport> Time;
  std::string Problem;
  int Status = ExitSuccess;
  /// From the cache.
  bool Remembered = false;

  double cycles() const {
    return Time ? Time->Total.Cycles[timing::MiddleDraw] : HUGE_VAL;
  }
};

/// Cycles that no launch with so many blocks can be below: the launch head, and
/// what launches before had to move at least, by so many cores or by all the
/// bandwidth there is. All points launch the same work.
class LowerBound {
public:
  void learn(StringRef Soc, const timing::Answer &Known);
  double of(uint32_t Blocks) const;

private:
  std::optional<timing::Costs> Costs;
  uint32_t Cores = 1;
  double LeastBytes = HUGE_VAL;
};

/// Looks for the point with the fewest cycles, and remembers all it tried.
class Search {
public:
  /// With \p Prune, what cannot be the best is not launched.
  Search(const Arguments &Args, std::vector<Axis> Axes, bool Quiet, bool Prune)
      : Args(Args), Axes(std::move(Axes)), Quiet(Quiet), Prune(Prune) {}

  size_t size() const {
    size_t All = 1;
    for (const Axis &Each : Axes)
      All *= Each.Values.size();
    return All;
  }
  void all();
  void descend();
  const std::map<Point, Tried> &tried() const { return Known; }
  /// Null if no point can be launched.
  const std::pair<const Point, Tried> *best() const;
  std::string describe(const Point &P) const;
  json::Object toJson(const Point &P) const;
  /// What `belay build --tuned` reads.
  json::Object toTuned(const Point &P) const;

private:
  double cyclesAt(const Point &P);
  Tried launch(const Point &P);
  std::string fill(StringRef Text, const Point &P) const;
  bool improve(Point &At, unsigned Along);

  const Arguments &Args;
  std::vector<Axis> Axes;
  bool Quiet, Prune;
  std::map<Point, Tried> Known;
  LowerBound Bound;
};

} // namespace

void LowerBound::learn(StringRef Soc, const timing::Answer &Known) {
  LeastBytes = std::min(LeastBytes, Known.LeastBytes);
  const targets::Soc *Facts = targets::findSoc(Soc);
  Expected<std::string> Text = readCosts(Soc);
  timing::CostTable Table;
  if (!Text)
    return consumeError(Text.takeError());
  if (Costs || !Facts || !Table.parse(*Text).empty())
    return;
  Table.ClockGHz = Facts->clockMHz / 1e3;
  Table.L2Bytes = Facts->l2;
  Cores = std::max(1u, Facts->aiCores + Facts->vectorCores);
  Costs.emplace(Table, timing::Draws[timing::MiddleDraw]);
}

double LowerBound::of(uint32_t Blocks) const {
  if (!Costs || LeastBytes == HUGE_VAL)
    return 0;
  using enum timing::Parameter;
  double Used = std::min(Blocks, Cores);
  double Bytes = LeastBytes * (*Costs)[DramRate] * (*Costs)[DramEfficiency];
  // A block may have a cube core and two vector cores.
  double OneBlock = (*Costs)[GmL1Hit] + (*Costs)[L0cGmRate] +
                    2 * ((*Costs)[GmUbHit] + (*Costs)[UbGmRate]);
  return (*Costs)[LaunchBase] + (*Costs)[LaunchPerCore] * Used +
         std::max(LeastBytes, Bytes / (Used * OneBlock));
}

std::string Search::describe(const Point &P) const {
  std::vector<std::string> Texts;
  for (auto [Axis, Index] : zip(Axes, P))
    Texts.push_back(Axis.Name + "=" + Axis.Values[Index]);
  return join(Texts, " ");
}

json::Object Search::toJson(const Point &P) const {
  json::Object Values;
  for (auto [Axis, Index] : zip(Axes, P))
    Values[Axis.Name] = Axis.Values[Index];
  json::Object Result{{"values", std::move(Values)}};
  const Tried &T = Known.at(P);
  if (T.Time) {
    Result["cycles"] = std::round(T.cycles());
    Result["low"] = std::round(T.Time->Total.Cycles[0]);
    Result["high"] = std::round(T.Time->Total.Cycles[2]);
    Result["boundBy"] = boundOf(T.Time->Total);
    Result["remembered"] = T.Remembered;
  } else {
    Result["problem"] = json::fixUTF8(T.Problem);
  }
  return Result;
}

/// Puts values into a text: {R} becomes 8.
std::string Search::fill(StringRef Text, const Point &P) const {
  std::string Result = Text.str();
  for (auto [Axis, Index] : zip(Axes, P)) {
    std::string Mark = "{" + Axis.Name + "}";
    for (size_t At = 0; (At = Result.find(Mark, At)) != std::string::npos;
         At += Axis.Values[Index].size())
      Result.replace(At, Mark.size(), Axis.Values[Index]);
  }
  return Result;
}

json::Object Search::toTuned(const Point &P) const {
  json::Object Result = toJson(P);
  Result["version"] = 1;
  Result["source"] = fill(Args.Positional[0], P);
  json::Array Defines;
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::kernel:
      Result["kernel"] = fill(Each.Value, P);
      break;
    case Opt::soc:
      Result["soc"] = fill(Each.Value, P);
      break;
    case Opt::blocks:
      Result["blocks"] = fill(Each.Value, P);
      break;
    case Opt::D:
      Defines.push_back(fill(Each.Value, P));
      break;
    default:
      break;
    }
  Result["defines"] = std::move(Defines);
  return Result;
}

Tried Search::launch(const Point &P) {
  std::vector<std::string> Texts; // what the arguments refer to
  Texts.reserve(Args.Options.size() + Args.Positional.size());
  Arguments Mine = Args;
  for (Arguments::OptionValue &Each : Mine.Options)
    Each.Value = Texts.emplace_back(fill(Each.Value, P));
  for (StringRef &Each : Mine.Positional)
    Each = Texts.emplace_back(fill(Each, P));
  auto Failed = [](Error E) {
    Diagnostic Diag = toDiagnostic(std::move(E));
    return Tried{nullptr, Diag.Message, toInt(exitStatusOf(Diag.Id))};
  };
  Expected<RunRequest> Request = readRunRequest(Mine);
  if (!Request)
    return Failed(Request.takeError());
  if (Request->Cases.size() != 1)
    return {nullptr, "belay tune is for one case: choose it with --case",
            ExitUsage};
  const cases::Case &Case = Request->Cases[0];
  if (const auto *Best = best(); Prune && Best)
    if (double Least = Bound.of(Case.Blocks);
        Least >= Worthwhile * Best->second.cycles())
      return {nullptr,
              "at least " + formatCycles(Least) + " cycles: not launched",
              ExitSuccess};
  Request->Options.Time = Request->Options.Compiler.Quiet = true;
  Request->Options.RememberTimes = true;
  Request->Options.PrintToStderr = true;
  Request->Options.Timelines.clear();
  Expected<CaseRunner> Runner =
      CaseRunner::create(Request->Cases, Request->Options);
  if (!Runner)
    return Failed(Runner.takeError());
  CaseResult Result = Runner->run(Case);
  if (Result.passed() && Result.Time) {
    Bound.learn(Case.Soc, Result.Time->Total);
    return {Result.Time, "", ExitSuccess, Result.Remembered};
  }
  for (const Diagnostic &Problem : Result.Problems)
    if (exitStatusOf(Problem.Id) != ExitStatus::Passed)
      return {nullptr, Problem.Message, toInt(exitStatusOf(Problem.Id))};
  return {nullptr, "it has no time", ExitFailure};
}

double Search::cyclesAt(const Point &P) {
  if (auto It = Known.find(P); It != Known.end())
    return It->second.cycles();
  const Tried &T = Known[P] = launch(P);
  if (!Quiet) {
    outs() << formatv("{0}: ", describe(P));
    if (T.Time)
      outs() << formatCycles(T.cycles()) << " cycles"
             << (T.Remembered ? ", known\n" : "\n");
    else
      outs() << T.Problem << '\n';
    outs().flush();
  }
  return T.cycles();
}

void Search::all() {
  Point At(Axes.size(), 0);
  for (size_t N = 0; N < size(); ++N) {
    size_t Rest = N;
    for (auto [Axis, Index] : zip(Axes, At)) {
      Index = static_cast<unsigned>(Rest % Axis.Values.size());
      Rest /= Axis.Values.size();
    }
    cyclesAt(At);
  }
}

/// Goes from At to a better value of one axis, with longer steps as long as
/// they help.
bool Search::improve(Point &At, unsigned Along) {
  bool Moved = false;
  auto Num = static_cast<int>(Axes[Along].Values.size());
  for (int Direction : {1, -1}) {
    for (int Step = 1; Step > 0;) {
      Point To = At;
      int Index = static_cast<int>(At[Along]) + Direction * Step;
      To[Along] = static_cast<unsigned>(Index);
      bool Inside = Index >= 0 && Index < Num;
      if (Inside && cyclesAt(To) < Worthwhile * cyclesAt(At)) {
        At = To;
        Moved = true;
        Step *= 2;
      } else {
        Step = Inside && Step == 1 ? 0 : Step / 2;
      }
    }
    if (Moved)
      return true;
  }
  return false;
}

/// One axis after the other, from the middle of all, until none helps. If the
/// middle cannot be launched, from the first point that can.
void Search::descend() {
  Point At;
  for (const Axis &Each : Axes)
    At.push_back(static_cast<unsigned>(Each.Values.size() / 2));
  for (unsigned Along = 0; cyclesAt(At) == HUGE_VAL && Along < At.size();)
    if (At[Along] > 0)
      At[Along] /= 2;
    else
      ++Along;
  for (bool Moved = true; Moved;) {
    Moved = false;
    for (unsigned Along = 0; Along < Axes.size(); ++Along)
      Moved |= improve(At, Along);
  }
}

const std::pair<const Point, Tried> *Search::best() const {
  const std::pair<const Point, Tried> *Best = nullptr;
  for (const auto &Each : Known)
    if (Each.second.Time &&
        (!Best || Each.second.cycles() < Best->second.cycles()))
      Best = &Each;
  return Best;
}

/// Reads --try R=1,2,4.
static Expected<Axis> readAxis(StringRef Text) {
  auto [Name, List] = Text.split('=');
  Axis Result;
  Result.Name = Name.str();
  SmallVector<StringRef> Values;
  List.split(Values, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Each : Values)
    Result.Values.push_back(Each.trim().str());
  if (Name.empty() || Result.Values.empty())
    return createStringError("--try takes NAME=VALUE,..., not '" + Text + "'");
  return Result;
}

static bool isUsed(const Arguments &Args, StringRef Name) {
  std::string Mark = ("{" + Name + "}").str();
  return any_of(Args.Options,
                [&](const auto &Each) { return Each.Value.contains(Mark); }) ||
         any_of(Args.Positional,
                [&](StringRef Each) { return Each.contains(Mark); });
}

static Error save(const Search &S, StringRef Path) {
  const auto *Best = S.best();
  if (!Best)
    return Error::success();
  std::string Text =
      formatv("{0:2}\n", json::Value(S.toTuned(Best->first))).str();
  return writeFile(Path, arrayRefFromStringRef(Text));
}

static void print(const Search &S, RunFormat As) {
  const auto *Best = S.best();
  if (As != RunFormat::Text) {
    json::Array Rows;
    for (const auto &[P, T] : S.tried())
      Rows.push_back(S.toJson(P));
    json::Object Result{{"candidates", S.size()}, {"tried", std::move(Rows)}};
    if (Best)
      Result["best"] = S.toJson(Best->first);
    outs() << formatv("{0:2}\n", json::Value(std::move(Result)));
    return;
  }
  auto Launched = count_if(S.tried(), [](const auto &Each) {
    return Each.second.Time && !Each.second.Remembered;
  });
  if (Best)
    outs() << formatv(
        "best of {0} tried ({1} launched), of {2}: {3}, {4} "
        "cycles, bound by {5}\n",
        S.tried().size(), Launched, S.size(), S.describe(Best->first),
        formatCycles(Best->second.cycles()), boundOf(Best->second.Time->Total));
}

static int runTune(const Command &Self, const Arguments &Args) {
  if (Args.Positional.size() != 1)
    return usageError(Self, "one kernel source is tuned");
  Arguments Rest = Args;
  std::vector<Axis> Axes;
  bool All = false;
  StringRef SavePath;
  RunFormat As = RunFormat::Text;
  Rest.Options.clear();
  for (const Arguments::OptionValue &Each : Args.Options)
    switch (static_cast<Opt>(Each.Id)) {
    case Opt::try_: {
      Expected<Axis> Read = readAxis(Each.Value);
      if (!Read)
        return usageError(Self, toString(Read.takeError()));
      Axes.push_back(std::move(*Read));
      break;
    }
    case Opt::try_all:
      All = true;
      break;
    case Opt::save:
      SavePath = Each.Value;
      break;
    case Opt::format:
      As = Each.Value == "json" ? RunFormat::Json : RunFormat::Text;
      [[fallthrough]];
    default:
      Rest.Options.push_back(Each);
    }
  if (Axes.empty())
    return usageError(Self, "nothing to try: --try R=1,2,4,8");
  for (const Axis &Each : Axes)
    if (!isUsed(Rest, Each.Name))
      return usageError(Self, "{" + Each.Name + "} stands in no option");
  Search S(Rest, std::move(Axes), As != RunFormat::Text, /*Prune=*/!All);
  All ? S.all() : S.descend();
  print(S, As);
  if (!SavePath.empty())
    if (Error E = save(S, SavePath))
      return reportError(std::move(E));
  if (S.best())
    return ExitSuccess;
  int Gravest = ExitFailure;
  for (const auto &[P, T] : S.tried())
    Gravest = std::max(Gravest, T.Status);
  return Gravest;
}

namespace belay::tool {
extern const Command TuneCommand;
const Command TuneCommand = {
    "tune",
    "find the parameters with which a kernel costs least",
    "KERNEL.cpp --try NAME=VALUE,... [OPTIONS of belay run]",
    R"(
Launches a kernel with different parameters and finds those that cost the fewest
simulated cycles (docs/timing.md). {NAME} in any option or in the name of the file
stands for a value: template arguments, macros, blocks, tiling.

The search starts in the middle of all values and goes along one parameter after
the other for as long as that helps; values are therefore given in order. What
does not compile, is not proven (--deny) or does not fit is passed over, and so is
what cannot be faster than the best so far: a launch head of more blocks, or fewer
cores than its bytes need. --try-all launches all combinations.

What a launch costs is kept in the cache, under a name made of the kernel's object,
all bytes of its arguments, the costs and Belay itself: a search that was stopped
goes on where it was, and one that is repeated launches nothing.

--save FILE.json writes what was found; 'belay build --tuned FILE.json' takes the
kernel's instance, macros and SoC from it.
)",
    optionTable,
    R"(
belay tune softmax.cpp --kernel 'softmax<1024, {R}>' --try R=1,2,4,8,16,32 \
    --blocks '{B}' --try B=8,16,24,32,40 --in f32:512x1024=normal:1 \
    --out f32:512x1024
belay tune add.cpp --tiling 'length=65536,tile={T}' --try T=256,1024,4096 ...
)",
    runTune,
};
} // namespace belay::tool
