//===- TimelineReport.cpp - When each instruction ran, to look at ---------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/TimelineReport.h"
#include "support/Files.h"
#include "support/Resources.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace belay;
using namespace belay::report;
using namespace belay::support;
using timing::Timeline;
using timing::TimelineCore;
using timing::TimelineEvent;
using timing::TimelineFlow;

static constexpr uint64_t MaxSourceBytes = 1 << 20, MaxPageBytes = 1 << 20;

static std::string nameOf(const TimelineCore &C) {
  const char *Kind = C.Kind == sim::CoreKind::Vector ? "vector core"
                     : C.Kind == sim::CoreKind::Cube ? "cube core"
                                                     : "core";
  std::string Name = formatv("{0} of block {1}", Kind, C.Block);
  if (C.SubBlock)
    Name += formatv(".{0}", C.SubBlock);
  return Name;
}

static StringRef shortName(sim::Pipe P) {
  return StringRef(sim::nameOf(P)).drop_front(5);
}

/// The lines of all sites.
static std::vector<SourcePlace> placesOf(const Timeline &T,
                                         FrameResolver &Resolver) {
  std::vector<sim::Place> Places(T.Sites.size());
  std::vector<const sim::Place *> Pointers;
  for (auto [Place, Site] : zip(Places, T.Sites)) {
    Place = sim::Place();
    Place.NumFrames = Site.Frame ? 1 : 0;
    Place.Frames[0] = Site.Frame;
    Pointers.push_back(&Place);
  }
  Resolver.prepare(Pointers);
  std::vector<SourcePlace> Result;
  for (const sim::Place &Place : Places) {
    std::vector<Frame> Frames = Resolver.resolve(Place);
    Result.push_back(Frames.empty() ? SourcePlace() : Frames.front().Where);
  }
  return Result;
}

/// Tenths of a cycle are enough, and keep files small.
static double rounded(double Cycles) { return std::round(Cycles * 10) / 10; }

namespace {
/// Chrome's format: cores are processes, pipes are threads.
class TraceWriter {
public:
  TraceWriter(const Timeline &T, ArrayRef<SourcePlace> Places)
      : T(T), Places(Places) {}

  json::Value write() {
    for (const auto &[Number, Core] : enumerate(T.Cores)) {
      name("process_name", Number, 0, nameOf(Core));
      for (unsigned P = 0; P < timing::NumPipes; ++P)
        name("thread_name", Number, P, shortName(static_cast<sim::Pipe>(P)));
    }
    for (const TimelineEvent &E : T.Events)
      event(E);
    for (const auto &[Number, F] : enumerate(T.Flows)) {
      flow("s", Number, F.FromCore, F.FromPipe, F.From);
      flow("f", Number, F.ToCore, F.ToPipe, F.To);
    }
    return json::Object{
        {"traceEvents", std::move(Events)},
        {"displayTimeUnit", "ns"},
        {"otherData", json::Object{{"unit", "one microsecond stands for one "
                                            "simulated cycle"}}}};
  }

private:
  void name(StringRef What, size_t Core, unsigned Pipe, StringRef Text) {
    Events.push_back(
        json::Object{{"ph", "M"},
                     {"name", What},
                     {"pid", Core},
                     {"tid", Pipe},
                     {"args", json::Object{{"name", json::fixUTF8(Text)}}}});
  }
  void event(const TimelineEvent &E) {
    auto Tid = static_cast<unsigned>(E.On);
    if (E.Waited >= 1)
      Events.push_back(
          json::Object{{"ph", "X"},
                       {"cat", "wait"},
                       {"name", "waits: " + std::string(timing::nameOf(E.Why))},
                       {"pid", E.Core},
                       {"tid", Tid},
                       {"ts", rounded(E.Start - static_cast<double>(E.Waited))},
                       {"dur", rounded(static_cast<double>(E.Waited))},
                       {"cname", "grey"}});
    const SourcePlace &Where = Places[E.Site];
    json::Object Args{
        {"line",
         json::fixUTF8(formatv("{0}:{1}", Where.File, Where.Line).str())}};
    if (E.Bytes)
      Args["bytes"] = E.Bytes;
    Events.push_back(json::Object{{"ph", "X"},
                                  {"cat", shortName(E.On)},
                                  {"name", T.Sites[E.Site].Name},
                                  {"pid", E.Core},
                                  {"tid", Tid},
                                  {"ts", rounded(E.Start)},
                                  {"dur", rounded(E.End - E.Start)},
                                  {"args", std::move(Args)}});
  }
  void flow(StringRef Phase, size_t Id, uint16_t Core, sim::Pipe P, double At) {
    Events.push_back(json::Object{{"ph", Phase},
                                  {"cat", "flag"},
                                  {"name", "flag"},
                                  {"id", Id},
                                  {"bp", "e"},
                                  {"pid", Core},
                                  {"tid", static_cast<unsigned>(P)},
                                  {"ts", rounded(At)}});
  }

  const Timeline &T;
  ArrayRef<SourcePlace> Places;
  json::Array Events;
};
} // namespace

/// The texts of all files that lines of the timeline stand in.
static json::Object sourcesOf(ArrayRef<SourcePlace> Places) {
  json::Object Texts;
  std::set<std::string> Files;
  for (const SourcePlace &Each : Places)
    if (!Each.File.empty() && Files.insert(Each.File).second) {
      Expected<std::string> Text = readFile(Each.File, MaxSourceBytes);
      if (Text)
        Texts[json::fixUTF8(Each.File)] = json::fixUTF8(*Text);
      else
        consumeError(Text.takeError()); // it is shown without its source
    }
  return Texts;
}

/// What the page draws. Rows of numbers, since there are many.
static json::Object pageData(const Timeline &T, const TimeReport &Time,
                             StringRef Kernel, ArrayRef<SourcePlace> Places) {
  json::Array Cores, Pipes, Causes, Sites, Events, Flows, Lines;
  for (const TimelineCore &C : T.Cores)
    Cores.push_back(nameOf(C));
  for (unsigned P = 0; P < timing::NumPipes; ++P)
    Pipes.push_back(shortName(static_cast<sim::Pipe>(P)));
  for (unsigned N = 0; N < timing::NumCauses; ++N)
    Causes.push_back(timing::nameOf(static_cast<timing::Cause>(N)));
  for (auto [Site, Where] : zip(T.Sites, Places))
    Sites.push_back(
        json::Array{Site.Name, json::fixUTF8(Where.File), Where.Line});
  for (const TimelineEvent &E : T.Events)
    Events.push_back(json::Array{
        E.Core, static_cast<unsigned>(E.On), rounded(E.Start),
        rounded(E.End - E.Start), E.Site, E.Bytes,
        rounded(static_cast<double>(E.Waited)), static_cast<unsigned>(E.Why)});
  for (const TimelineFlow &F : T.Flows)
    Flows.push_back(json::Array{
        F.FromCore, static_cast<unsigned>(F.FromPipe), rounded(F.From),
        F.ToCore, static_cast<unsigned>(F.ToPipe), rounded(F.To)});
  for (const TimedLine &Line : Time.Lines)
    Lines.push_back(json::Array{json::fixUTF8(Line.Where.File), Line.Where.Line,
                                rounded(Line.Sum.total()),
                                describeLine(Time, Line), Line.Advice});
  const timing::Answer &A = Time.Total;
  return json::Object{
      {"kernel", json::fixUTF8(Kernel)},
      {"cycles", rounded(A.Cycles[timing::MiddleDraw])},
      {"low", rounded(A.Cycles[0])},
      {"high", rounded(A.Cycles[2])},
      {"head",
       rounded(A.OnChain[static_cast<unsigned>(timing::Cause::Launch)])},
      {"boundBy", boundOf(A)},
      {"allCores", T.AllCores},
      {"cutShort", T.CutShort},
      {"cores", std::move(Cores)},
      {"pipes", std::move(Pipes)},
      {"causes", std::move(Causes)},
      {"sites", std::move(Sites)},
      {"events", std::move(Events)},
      {"flows", std::move(Flows)},
      {"lines", std::move(Lines)},
      {"sources", sourcesOf(Places)}};
}

Error belay::report::writeTimelineFile(StringRef Path, const Timeline &T,
                                       const TimeReport &Time, StringRef Kernel,
                                       FrameResolver &Resolver) {
  std::vector<SourcePlace> Places = placesOf(T, Resolver);
  std::string Text;
  if (Path.ends_with(".html")) {
    Expected<std::string> Page =
        readFile(getSharePath("timing/timeline.html"), MaxPageBytes);
    if (!Page)
      return Page.takeError();
    std::string Data =
        formatv("{0}", json::Value(pageData(T, Time, Kernel, Places)));
    // Nothing of the data may end the element that it stands in.
    for (size_t At = 0; (At = Data.find('<', At)) != std::string::npos;)
      Data.replace(At, 1, "\\u003c");
    auto [Before, After] = StringRef(*Page).split("@DATA@");
    Text = (Before + Data + After).str();
  } else {
    Text = formatv("{0}\n", TraceWriter(T, Places).write());
  }
  return writeFile(
      Path,
      ArrayRef(reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
}
