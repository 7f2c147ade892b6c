//===- Timeline.cpp - When each instruction ran ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Timeline.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

namespace belay::timing {

namespace {

class Drawer {
public:
  Drawer(const Launch &L, const Costs &C, const ReplayResult &R)
      : L(L), C(C), R(R) {}

  Timeline draw() {
    Out.AllCores = static_cast<uint32_t>(L.Cores.size());
    std::vector<uint32_t> Order;
    if (R.Last.known())
      Order.push_back(R.Last.Core);
    for (uint32_t N = 0; N < L.Cores.size(); ++N)
      if (Order.empty() || N != Order[0])
        Order.push_back(N);
    for (uint32_t N : Order) {
      // Of the first core, what fits; the others as a whole.
      if (Out.Events.size() + L.Cores[N].Steps.size() > Timeline::MaxEvents &&
          !Out.Cores.empty())
        break;
      Shown[N] = static_cast<uint16_t>(Out.Cores.size());
      Out.Cores.push_back(
          {L.Cores[N].Kind, L.Cores[N].Block, L.Cores[N].SubBlock});
      drawCore(N);
    }
    drawFlows();
    return std::move(Out);
  }

private:
  uint32_t siteOf(const Stream &Core, uint32_t Number) {
    const Site &S = Core.Sites[Number];
    auto [It, New] = Sites.try_emplace({S.Frame, S.Name},
                                       static_cast<uint32_t>(Out.Sites.size()));
    if (New) {
      TimelineSite &To = Out.Sites.emplace_back();
      To.Frame = S.Frame;
      std::snprintf(To.Name, sizeof To.Name, "%s", S.Name.c_str());
    }
    return It->second;
  }

  void drawCore(uint32_t Number) {
    const Stream &Core = L.Cores[Number];
    double Idle[NumPipes];
    std::fill(std::begin(Idle), std::end(Idle), R.Head);
    for (uint32_t N = 0; N < Core.Steps.size(); ++N) {
      if (Out.Events.size() >= Timeline::MaxEvents) {
        Out.CutShort = true;
        return;
      }
      const Step &S = Core.Steps[N];
      const Node &At = R.Nodes[Number][N];
      if (S.Kind <= StepKind::GlobalCopy)
        add(Number, S, At.Start, endOf(S, At), At, Idle);
      else if (S.Kind <= StepKind::ScalarGlobal)
        addScalar(Number, S, N, Idle);
      else if (S.On == Pipe::S || S.On == Pipe::All)
        Idle[0] = std::max(Idle[0], At.Issued);
    }
  }

  /// When the pipe is free again; a copy is complete later.
  double endOf(const Step &S, const Node &At) const {
    return S.Kind == StepKind::GlobalCopy  ? At.End - copyLatency(S, C)
           : S.Kind == StepKind::LocalCopy ? At.End - C[Parameter::LocalLatency]
                                           : At.End;
  }

  void add(uint32_t Core, const Step &S, double Start, double End,
           const Node &At, double *Idle) {
    double &Free = Idle[static_cast<unsigned>(S.On)];
    TimelineEvent &E = Out.Events.emplace_back();
    E = {};
    E.Start = Start;
    E.End = std::max(Start, End);
    E.Waited = static_cast<float>(std::max(0.0, Start - Free));
    E.Site = siteOf(L.Cores[Core], S.Site);
    E.Bytes = S.Bytes;
    E.Core = Shown[Core];
    E.On = S.On;
    E.Why = causeOfWait(L, R, At);
    Free = E.End;
  }

  /// Accesses of one line that follow each other are drawn as one.
  void addScalar(uint32_t Core, const Step &S, uint32_t Index, double *Idle) {
    double Start = Index ? R.Nodes[Core][Index - 1].Issued : R.Head;
    double End = R.Nodes[Core][Index].Issued;
    uint32_t Site = siteOf(L.Cores[Core], S.Site);
    if (!Out.Events.empty()) {
      TimelineEvent &Last = Out.Events.back();
      if (Last.On == Pipe::S && Last.Core == Shown[Core] && Last.Site == Site &&
          Last.End >= Start - 0.5) {
        Last.End = End;
        Idle[0] = End;
        return;
      }
    }
    Step Alone = S;
    Alone.On = Pipe::S;
    add(Core, Alone, Start, End, Node(), Idle);
    Out.Events.back().Waited = 0;
  }

  void drawFlows() {
    for (const auto &[Core, Name] : Shown)
      for (uint32_t N = 0; N < L.Cores[Core].Steps.size(); ++N) {
        const Step &S = L.Cores[Core].Steps[N];
        const Node &At = R.Nodes[Core][N];
        bool Waits = S.Kind == StepKind::Wait || S.Kind == StepKind::WaitLast ||
                     S.Kind == StepKind::CrossWait;
        if (!Waits || !At.After.known() || !Shown.count(At.After.Core))
          continue;
        if (Out.Flows.size() >= Timeline::MaxEvents)
          return;
        const Step &Set = L.Cores[At.After.Core].Steps[At.After.Index];
        Pipe From = At.After.Issue || Set.On >= Pipe::All ? Pipe::S : Set.On;
        Pipe To = S.On >= Pipe::All ? Pipe::S : S.On;
        Out.Flows.push_back(
            {At.Start, At.End, Shown[At.After.Core], Name, From, To});
      }
  }

  const Launch &L;
  const Costs &C;
  const ReplayResult &R;
  Timeline Out;
  std::map<uint32_t, uint16_t> Shown; // by number in the launch
  std::map<std::pair<uint64_t, std::string>, uint32_t> Sites;
};

struct Header {
  uint32_t Magic, AllCores, CutShort;
  uint32_t NumCores, NumSites, NumEvents, NumFlows;
};
constexpr uint32_t TimelineMagic = 0x454e494c;

/// The parts of a timeline, one after the other.
template <typename H, typename Fn>
void forEachPart(const H &Head, Timeline &T, Fn Visit) {
  Visit(T.Cores, Head.NumCores);
  Visit(T.Sites, Head.NumSites);
  Visit(T.Events, Head.NumEvents);
  Visit(T.Flows, Head.NumFlows);
}

bool isConsistent(Timeline &T) {
  auto Bad = [&](uint16_t Core, Pipe P) {
    return Core >= T.Cores.size() || P >= Pipe::All;
  };
  for (TimelineSite &S : T.Sites) {
    S.Name[sizeof S.Name - 1] = '\0';
    for (char &Each : S.Name)
      if (Each && (Each < ' ' || Each > '~'))
        Each = '?';
  }
  for (const TimelineCore &Each : T.Cores)
    if (Each.Kind > CoreKind::Coupled)
      return false;
  for (const TimelineEvent &E : T.Events)
    if (Bad(E.Core, E.On) || E.Site >= T.Sites.size() ||
        static_cast<unsigned>(E.Why) >= NumCauses || !std::isfinite(E.Start) ||
        !std::isfinite(E.End) || !std::isfinite(E.Waited))
      return false;
  for (const TimelineFlow &F : T.Flows)
    if (Bad(F.FromCore, F.FromPipe) || Bad(F.ToCore, F.ToPipe) ||
        !std::isfinite(F.From) || !std::isfinite(F.To))
      return false;
  return true;
}

} // namespace

Timeline drawTimeline(const Launch &L, const Costs &C, const ReplayResult &R) {
  return Drawer(L, C, R).draw();
}

void writeTimeline(const Timeline &T, std::span<uint8_t> To) {
  Header H = {TimelineMagic,
              T.AllCores,
              T.CutShort,
              static_cast<uint32_t>(T.Cores.size()),
              static_cast<uint32_t>(T.Sites.size()),
              static_cast<uint32_t>(T.Events.size()),
              static_cast<uint32_t>(T.Flows.size())};
  size_t At = sizeof H;
  bool Fits = At <= To.size();
  forEachPart(H, const_cast<Timeline &>(T), [&](auto &Part, uint32_t) {
    size_t Bytes = Part.size() * sizeof Part[0];
    Fits &= At + Bytes <= To.size();
    if (Fits && Bytes)
      std::memcpy(To.data() + At, Part.data(), Bytes);
    At += Bytes;
  });
  if (Fits)
    std::memcpy(To.data(), &H, sizeof H);
}

Timeline readTimeline(std::span<const uint8_t> From) {
  Timeline T;
  Header H;
  if (From.size() < sizeof H)
    return {};
  std::memcpy(&H, From.data(), sizeof H);
  if (H.Magic != TimelineMagic)
    return {};
  T.AllCores = H.AllCores;
  T.CutShort = H.CutShort;
  size_t At = sizeof H;
  bool Fits = true;
  forEachPart(H, T, [&](auto &Part, uint32_t Num) {
    size_t Bytes = size_t(Num) * sizeof Part[0];
    Fits &= Fits && Bytes <= From.size() - At;
    if (!Fits || !Bytes)
      return;
    Part.resize(Num);
    std::memcpy(Part.data(), From.data() + At, Bytes);
    At += Bytes;
  });
  if (!Fits || !isConsistent(T))
    return {};
  return T;
}

} // namespace belay::timing
