//===- TimeReport.cpp - What a launch costs, and which lines --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/TimeReport.h"
#include "support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <tuple>

using namespace llvm;
using namespace belay;
using namespace belay::report;
using timing::Answer;
using timing::Cause;
using timing::NumCauses;
using timing::SiteAnswer;

/// Lines shown to people; programs get all.
static constexpr size_t ShownLines = 5;
static constexpr double ShownShare = 0.005;

static double of(const SiteAnswer &S, Cause C) {
  return S.Cycles[static_cast<unsigned>(C)];
}

static double share(double Part, double All) {
  return All > 0 ? Part / All : 0;
}

static std::string percent(double Share) {
  return formatv("{0} %", static_cast<int64_t>(std::lround(100 * Share)));
}

std::string belay::report::formatCycles(double Cycles) {
  std::string Digits =
      std::to_string(std::llround(std::min(std::max(Cycles, 0.0), 1e18)));
  for (size_t At = Digits.size(); At > 3; At -= 3)
    Digits.insert(At - 3, ",");
  return Digits;
}

static Cause largest(const SiteAnswer &S) {
  return static_cast<Cause>(
      std::max_element(std::begin(S.Cycles), std::end(S.Cycles)) - S.Cycles);
}

/// What to do about copies. The first that applies is the most likely to help.
static std::string adviseCopy(const SiteAnswer &S, const Answer &A) {
  double All = S.total();
  uint64_t Each = S.Count ? S.Bytes / S.Count : 0;
  if (Each && Each < 2048)
    return formatv("{0} copies of {1} bytes: move at least 16 KB with each, or "
                   "several rows with one copy",
                   S.Count, Each);
  if (of(S, Cause::CopyIssue) > All / 4 && S.Bursts > 8 * S.Count)
    return formatv("{0} bursts of {1} bytes in each copy: longer rows need "
                   "fewer",
                   S.Bursts / S.Count, S.Bytes / S.Bursts);
  if (S.Exposed > All / 3)
    return "the copy waits for its buffer: give the queue two buffers, so that "
           "it runs beside the computation";
  if (of(S, Cause::Latency) > All / 3)
    return "mostly latency: issue the next copy before this one is waited for";
  if (A.Read > A.LeastRead + A.LeastRead / 2)
    return formatv(
        "the kernel reads each byte {0} times: keep what is read "
        "again on chip, or use larger tiles",
        belay::support::formatNumber(double(A.Read) / double(A.LeastRead), 2));
  // The chip has bandwidth left, the core has not.
  if (A.LeastBytes < A.Cycles[timing::MiddleDraw] / 2)
    return "bound by what one core can copy: use more cores, and let copies "
           "run "
           "beside the computation";
  return "bound by the bandwidth of global memory: move fewer bytes (fuse with "
         "the kernel before or after, keep in UB what is read again)";
}

/// What to do about a line, by what it costs most.
static std::string advise(const SiteAnswer &S, const Answer &A) {
  switch (largest(S)) {
  case Cause::Bytes:
  case Cause::Latency:
  case Cause::CopyIssue:
    return adviseCopy(S, A);
  case Cause::Vector:
  case Cause::VectorFixed:
  case Cause::Conflict:
    if (of(S, Cause::Conflict) > S.total() / 5)
      return S.ReadConflicts >= S.WriteConflicts
                 ? formatv("bank conflict: {0} extra cycles for {1} repeats; "
                           "move one source by 256 bytes",
                           S.ReadConflicts, S.Repeats)
                       .str()
                 : formatv("bank conflict: {0} of {1} repeats write the bank "
                           "that they read; move the destination",
                           S.WriteConflicts, S.Repeats)
                       .str();
    if (largest(S) == Cause::VectorFixed)
      return formatv("{0} calls of {1} repeats on average: let one call do "
                     "more",
                     S.Count, S.Count ? S.Repeats / S.Count : 0);
    return "";
  case Cause::Scalar:
    return S.Count > 64 ? "a loop of the scalar unit: use a vector instruction "
                          "for the whole range"
                        : "";
  case Cause::Drain:
    return "the barrier drains pipes: a flag between the two that depend on "
           "each other lets the others go on";
  case Cause::HandOver:
    return "waits of one pipe for another: two buffers let them overlap";
  case Cause::OtherCores:
    return "waits for other cores: divide the work evenly, synchronise less "
           "often";
  default:
    return "";
  }
}

static void addTo(SiteAnswer &Sum, const SiteAnswer &Part) {
  for (unsigned N = 0; N < NumCauses; ++N)
    Sum.Cycles[N] += Part.Cycles[N];
  Sum.Exposed += Part.Exposed;
  Sum.Count += Part.Count;
  Sum.Bytes += Part.Bytes;
  Sum.Bursts += Part.Bursts;
  Sum.Repeats += Part.Repeats;
  Sum.ReadConflicts += Part.ReadConflicts;
  Sum.WriteConflicts += Part.WriteConflicts;
}

TimeReport belay::report::explainTime(const Answer &Total,
                                      FrameResolver &Resolver) {
  TimeReport Report;
  Report.Total = Total;
  std::vector<sim::Place> Places(Total.NumSites);
  std::vector<const sim::Place *> Pointers;
  for (auto [Place, Site] :
       zip(Places, ArrayRef(Total.Sites, Total.NumSites))) {
    Place = sim::Place();
    Place.Kind = Site.Kind;
    Place.NumFrames = Site.Frame ? 1 : 0;
    Place.Frames[0] = Site.Frame;
    Pointers.push_back(&Place);
  }
  Resolver.prepare(Pointers);
  for (auto [Place, Site] :
       zip(Places, ArrayRef(Total.Sites, Total.NumSites))) {
    std::vector<Frame> Frames = Resolver.resolve(Place);
    support::SourcePlace Where;
    if (!Frames.empty())
      Where = Frames.front().Where;
    auto Found = find_if(Report.Lines, [&](const TimedLine &Line) {
      return Line.Where.File == Where.File && Line.Where.Line == Where.Line;
    });
    if (Found == Report.Lines.end()) {
      Found = Report.Lines.insert(Found, TimedLine());
      Found->Where = Where;
      Found->Sum.On = Site.On;
    }
    SmallVector<StringRef> Names;
    StringRef(Found->Instructions).split(Names, ", ", -1, false);
    if (!is_contained(Names, StringRef(Site.Name)))
      Found->Instructions +=
          (Found->Instructions.empty() ? "" : ", ") + std::string(Site.Name);
    addTo(Found->Sum, Site);
  }
  erase_if(Report.Lines,
           [](const TimedLine &Line) { return Line.Sum.total() <= 0; });
  llvm::sort(Report.Lines, [](const TimedLine &X, const TimedLine &Y) {
    return std::tuple(-X.Sum.total(), X.Where.Line) <
           std::tuple(-Y.Sum.total(), Y.Where.Line);
  });
  for (TimedLine &Line : Report.Lines)
    Line.Advice = advise(Line.Sum, Total);
  return Report;
}

std::string belay::report::describeLine(const TimeReport &Report,
                                        const TimedLine &Line) {
  double Cycles = Line.Sum.total();
  Cause Most = largest(Line.Sum);
  return formatv(
      "{0} of the cycles, {1}{2}",
      percent(share(Cycles, Report.Total.Cycles[timing::MiddleDraw])),
      of(Line.Sum, Most) > 0.9 * Cycles ? "" : "mostly ", nameOf(Most));
}

/// Shares of what a kernel can be bound by, the largest first.
static std::vector<std::pair<std::string, double>> boundsOf(const Answer &A) {
  std::vector<std::pair<std::string, double>> Sums;
  for (unsigned N = 0; N < NumCauses; ++N) {
    StringRef Name = timing::boundOf(static_cast<Cause>(N));
    auto Found = find_if(Sums, [&](auto &Each) { return Each.first == Name; });
    if (Found == Sums.end())
      Found = Sums.insert(Found, {Name.str(), 0.0});
    Found->second += A.OnChain[N];
  }
  for (auto &Each : Sums)
    Each.second = share(Each.second, A.Cycles[timing::MiddleDraw]);
  llvm::sort(Sums, [](auto &X, auto &Y) {
    return std::tuple(-X.second, X.first) < std::tuple(-Y.second, Y.first);
  });
  return Sums;
}

std::string belay::report::boundOf(const Answer &A) {
  return boundsOf(A).front().first;
}

static std::string pipesOf(const Answer &A) {
  SmallVector<std::string> Texts;
  for (unsigned P = 0; P < timing::NumPipes; ++P)
    if (A.Busy[P] >= 0.005)
      Texts.push_back(formatv(
          "{0} {1}", StringRef(nameOf(static_cast<sim::Pipe>(P))).drop_front(5),
          percent(A.Busy[P])));
  return join(Texts, ", ");
}

/// Below this no order of the same work comes.
static double floorOf(const Answer &A) {
  return std::max({A.LeastBytes, A.LeastVector, A.LeastCube}) +
         A.OnChain[static_cast<unsigned>(Cause::Launch)];
}

static std::string bytesText(StringRef Verb, uint64_t Moved, uint64_t Least) {
  std::string Text = formatv("{0} {1}", Verb, formatCycles(double(Moved)));
  if (Moved > Least)
    Text += formatv(" ({0} at least)", formatCycles(double(Least)));
  return Text;
}

void belay::report::printTime(raw_ostream &Out, const TimeReport &Report) {
  const Answer &A = Report.Total;
  double Cycles = A.Cycles[timing::MiddleDraw];
  constexpr const char *Margin = "        ";
  Out << Margin
      << formatv("cycles: {0}, between {1} and {2}; {3} of them rest on "
                 "guesses\n",
                 formatCycles(Cycles), formatCycles(A.Cycles[0]),
                 formatCycles(A.Cycles[2]), percent(share(A.Guess, Cycles)));
  SmallVector<std::string> Bounds;
  for (const auto &[Name, Share] : boundsOf(A))
    if (Share >= 0.005)
      Bounds.push_back(formatv("{0} {1}", Name, percent(Share)));
  Out << Margin << "bound by " << join(Bounds, ", ") << '\n';
  Out << Margin
      << formatv("the same work takes {0} cycles at least: {1} for bytes, {2} "
                 "for vector, {3} for cube\n",
                 formatCycles(floorOf(A)), formatCycles(A.LeastBytes),
                 formatCycles(A.LeastVector), formatCycles(A.LeastCube));
  Out << Margin << "pipes busy: " << pipesOf(A) << '\n';
  Out << Margin
      << "bytes of global memory: " << bytesText("read", A.Read, A.LeastRead)
      << ", " << bytesText("written", A.Written, A.LeastWritten) << '\n';
  for (const TimedLine &Line : ArrayRef(Report.Lines).take_front(ShownLines)) {
    if (share(Line.Sum.total(), Cycles) < ShownShare)
      break;
    std::string Place =
        Line.Where.File.empty()
            ? "?"
            : formatv("{0}:{1}", Line.Where.File, Line.Where.Line).str();
    Out << Margin
        << formatv("{0}: {1}: {2}\n", Place, Line.Instructions,
                   describeLine(Report, Line));
    if (!Line.Advice.empty())
      Out << Margin << "    " << Line.Advice << '\n';
  }
}

static json::Object causesToJson(const double (&Cycles)[NumCauses]) {
  json::Object Result;
  for (unsigned N = 0; N < NumCauses; ++N)
    if (Cycles[N] > 0)
      Result[nameOf(static_cast<Cause>(N))] = std::round(Cycles[N]);
  return Result;
}

static json::Object toJson(const TimedLine &Line) {
  const SiteAnswer &S = Line.Sum;
  json::Object Result{{"cycles", std::round(S.total())},
                      {"instructions", json::fixUTF8(Line.Instructions)},
                      {"causes", causesToJson(S.Cycles)},
                      {"executions", S.Count},
                      {"bytes", S.Bytes}};
  if (!Line.Where.File.empty()) {
    Result["file"] = json::fixUTF8(Line.Where.File);
    Result["line"] = Line.Where.Line;
  }
  if (S.Repeats)
    Result["repeats"] = S.Repeats;
  if (S.ReadConflicts)
    Result["readConflicts"] = S.ReadConflicts;
  if (S.WriteConflicts)
    Result["writeConflicts"] = S.WriteConflicts;
  if (!Line.Advice.empty())
    Result["advice"] = Line.Advice;
  return Result;
}

json::Object belay::report::timeToJson(const TimeReport &Report) {
  const Answer &A = Report.Total;
  double Cycles = A.Cycles[timing::MiddleDraw];
  json::Object Draws, Busy, Bounds;
  for (unsigned N = 0; N < A.NumDraws; ++N)
    Draws[timing::Draws[N].Name] = std::round(A.Cycles[N]);
  for (unsigned P = 0; P < timing::NumPipes; ++P)
    if (A.Busy[P] > 0)
      Busy[StringRef(nameOf(static_cast<sim::Pipe>(P))).drop_front(5)] =
          A.Busy[P];
  for (const auto &[Name, Share] : boundsOf(A))
    Bounds[Name] = Share;
  json::Array Lines;
  for (const TimedLine &Line : Report.Lines)
    Lines.push_back(toJson(Line));
  return json::Object{
      {"cycles", std::round(Cycles)},
      {"low", std::round(A.Cycles[0])},
      {"high", std::round(A.Cycles[2])},
      {"draws", std::move(Draws)},
      {"guesses", share(A.Guess, Cycles)},
      {"boundBy", boundOf(A)},
      {"bounds", std::move(Bounds)},
      {"causes", causesToJson(A.OnChain)},
      {"least", json::Object{{"cycles", std::round(floorOf(A))},
                             {"bytes", std::round(A.LeastBytes)},
                             {"vector", std::round(A.LeastVector)},
                             {"cube", std::round(A.LeastCube)}}},
      {"busy", std::move(Busy)},
      {"cores", A.NumCores},
      {"steps", A.NumSteps},
      {"bytes", json::Object{{"read", A.Read},
                             {"written", A.Written},
                             {"leastRead", A.LeastRead},
                             {"leastWritten", A.LeastWritten},
                             {"dram", A.DramBytes}}},
      {"lines", std::move(Lines)},
  };
}
