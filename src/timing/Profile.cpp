//===- Profile.cpp - Where the cycles of a launch go ----------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Profile.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <thread>

namespace belay::timing {

namespace {

/// Adds up what the cycles of one chain went to.
class Chain {
public:
  Chain(const Launch &L, const Costs &C, const ReplayResult &R, Answer &A)
      : L(L), C(C), R(R), A(A) {
    PerSite.resize(L.Cores.size());
    for (size_t N = 0; N < L.Cores.size(); ++N)
      PerSite[N].resize(L.Cores[N].Sites.size());
  }

  struct Spent {
    double Cycles[NumCauses] = {};
    double Exposed = 0;
  };
  std::vector<std::vector<Spent>> PerSite; // by core

  void follow() {
    NodeRef At = R.Last;
    double Now = R.Cycles;
    while (At.known() && Now > R.Head) {
      const Step &S = L.Cores[At.Core].Steps[At.Index];
      const Node &N = R.Nodes[At.Core][At.Index];
      NodeRef Before = At;
      if (At.Issue)
        issued(At, S, N, Now);
      else
        executed(At, S, N, Now);
      if (Before.Core == At.Core && Before.Index == At.Index &&
          Before.Issue == At.Issue)
        break;
    }
    A.OnChain[static_cast<unsigned>(Cause::Launch)] += Now;
    if (C.guess(Parameter::LaunchBase))
      A.Guess += Now;
  }

private:
  void spend(NodeRef At, const Step &S, Cause Why, double Cycles, bool Guess) {
    if (Cycles <= 0)
      return;
    A.OnChain[static_cast<unsigned>(Why)] += Cycles;
    A.Guess += Guess ? Cycles : 0;
    PerSite[At.Core][S.Site].Cycles[static_cast<unsigned>(Why)] += Cycles;
  }

  /// The scalar unit: it works, or it stalls until something is complete.
  void issued(NodeRef &At, const Step &S, const Node &N, double &Now) {
    bool Stalls = S.Kind >= StepKind::Set && N.After.known() &&
                  N.End <= Now + 0.5 && N.Start < Now &&
                  (S.On == Pipe::S || S.On == Pipe::All ||
                   (S.Kind == StepKind::CrossWait && !S.OwnPipe));
    if (Stalls) {
      spend(At, S, waitCause(S), Now - N.Start, waitIsGuess(S));
      Now = N.Start;
      At = N.After;
      return;
    }
    double Start = At.Index ? R.Nodes[At.Core][At.Index - 1].Issued : R.Head;
    bool Waits = S.Kind == StepKind::SyncAll || S.Kind == StepKind::BlockEnd ||
                 S.Kind == StepKind::CrossWait;
    Parameter Rests = S.Kind == StepKind::Scalar ? Parameter::ScalarAccess
                      : S.Kind == StepKind::ScalarGlobal
                          ? Parameter::ScalarMiss
                          : Parameter::ScalarCall;
    spend(At, S, Waits ? waitCause(S) : Cause::Scalar, Now - Start,
          Waits ? waitIsGuess(S) : C.guess(Rests));
    Now = std::min(Now, Start);
    if (At.Index)
      --At.Index;
    else
      At = {};
  }

  void executed(NodeRef &At, const Step &S, const Node &N, double &Now) {
    double Span = Now - N.Start;
    switch (S.Kind) {
    case StepKind::Vector: {
      VectorCycles V = vectorCycles(S, C);
      double Scale = V.total() > 0 ? Span / V.total() : 0;
      bool Guess = C.vector(S.Row).Guess;
      spend(At, S, Cause::VectorFixed, V.Fixed * Scale,
            Guess || C.guess(Parameter::VectorFixed));
      spend(At, S, Cause::Vector, V.Slope * Scale, Guess);
      spend(At, S, Cause::Conflict, V.Conflict * Scale, false);
      break;
    }
    case StepKind::Cube:
      spend(At, S, Cause::Cube, Span, C.guess(Parameter::CubeHalf));
      break;
    case StepKind::LocalCopy:
      spend(At, S, Cause::LocalCopy, Span, C.guess(Parameter::LocalRate));
      break;
    case StepKind::GlobalCopy:
      copied(At, S, N, Span);
      break;
    default:
      spend(At, S, waitCause(S), Span, waitIsGuess(S));
      break;
    }
    Now = N.Start;
    At = N.After;
  }

  void copied(NodeRef At, const Step &S, const Node &N, double Span) {
    double Moved = N.End - N.Start - copyLatency(S, C);
    double Late = std::max(0.0, Span - Moved);
    bool Guess = C.guess(S.Write             ? Parameter::UbGmRate
                         : S.To == Space::UB ? Parameter::GmUbMiss
                                             : Parameter::GmL1Miss);
    spend(At, S, Cause::Latency, Late, Guess);
    double Rest = Span - Late;
    bool Issue = copyIssue(S, C) >= Moved - 0.5;
    spend(At, S, Issue ? Cause::CopyIssue : Cause::Bytes, Rest, Guess);
    if (!S.Write && N.After.known() && !N.After.Issue) {
      StepKind Before = L.Cores[N.After.Core].Steps[N.After.Index].Kind;
      if (Before == StepKind::Wait || Before == StepKind::WaitLast)
        PerSite[At.Core][S.Site].Exposed += Span;
    }
  }

  static Cause waitCause(const Step &S) {
    switch (S.Kind) {
    case StepKind::Barrier:
    case StepKind::BlockEnd:
      return Cause::Drain;
    case StepKind::CrossSet:
    case StepKind::CrossWait:
    case StepKind::SyncAll:
      return Cause::OtherCores;
    default:
      return Cause::HandOver;
    }
  }
  bool waitIsGuess(const Step &S) const {
    switch (waitCause(S)) {
    case Cause::Drain:
      return C.guess(Parameter::SyncBarrier);
    case Cause::OtherCores:
      return C.guess(S.Kind == StepKind::SyncAll ? Parameter::SyncAll
                                                 : Parameter::SyncCross);
    default:
      return C.guess(Parameter::SyncHandOver);
    }
  }

  const Launch &L;
  const Costs &C;
  const ReplayResult &R;
  Answer &A;
};

/// Totals of each place over all cores, the most expensive on the chain first.
void fillSites(const Launch &L, const Chain &Path, Answer &A) {
  std::map<std::pair<uint64_t, std::string>, SiteAnswer> Places;
  for (size_t Core = 0; Core < L.Cores.size(); ++Core) {
    const Stream &In = L.Cores[Core];
    std::vector<SiteAnswer *> Of;
    for (size_t N = 0; N < In.Sites.size(); ++N) {
      const Site &From = In.Sites[N];
      auto [It, New] = Places.try_emplace({From.Frame, From.Name});
      SiteAnswer &To = It->second;
      if (New) {
        To = {};
        To.Frame = From.Frame;
        std::snprintf(To.Name, sizeof To.Name, "%s", From.Name.c_str());
        To.On = From.On;
        To.Kind = In.Kind;
      }
      for (unsigned Why = 0; Why < NumCauses; ++Why)
        To.Cycles[Why] += Path.PerSite[Core][N].Cycles[Why];
      To.Exposed += Path.PerSite[Core][N].Exposed;
      Of.push_back(&To);
    }
    for (const Step &S : In.Steps) {
      SiteAnswer &To = *Of[S.Site];
      ++To.Count;
      To.Bytes += S.Bytes;
      To.Bursts += S.Bursts;
      To.Repeats += S.Kind == StepKind::Vector ? S.Work : 0;
      To.ReadConflicts += S.ReadConflicts;
      To.WriteConflicts += S.WriteConflicts;
    }
  }
  std::vector<const SiteAnswer *> Sorted;
  Sorted.reserve(Places.size());
  for (const auto &[Key, Site] : Places)
    Sorted.push_back(&Site);
  std::sort(Sorted.begin(), Sorted.end(),
            [](const SiteAnswer *X, const SiteAnswer *Y) {
              return std::pair(-X->total(), X->Frame) <
                     std::pair(-Y->total(), Y->Frame);
            });
  A.NumSites = static_cast<uint32_t>(std::min<size_t>(MaxSites, Sorted.size()));
  for (uint32_t N = 0; N < A.NumSites; ++N)
    A.Sites[N] = *Sorted[N];
}

/// The cores that use each pipe, the shares of the time that they do, and what
/// the same work takes at least.
void fillShares(const Launch &L, const Footprint &F, const Costs &C,
                const ReplayResult &R, Answer &A) {
  uint32_t Users[NumPipes] = {};
  for (const Stream &Core : L.Cores) {
    bool Uses[NumPipes] = {};
    double Vector = 0, Cube = 0;
    for (const Step &S : Core.Steps) {
      if (S.Kind <= StepKind::ScalarGlobal && S.On < Pipe::All)
        Uses[static_cast<unsigned>(S.On)] = true;
      if (S.Kind == StepKind::Vector) {
        VectorCycles V = vectorCycles(S, C);
        Vector += V.Slope + V.Fixed;
      } else if (S.Kind == StepKind::Cube) {
        Cube += cubeCycles(S, C);
      }
    }
    A.LeastVector = std::max(A.LeastVector, Vector);
    A.LeastCube = std::max(A.LeastCube, Cube);
    Uses[0] = true;
    for (unsigned P = 0; P < NumPipes; ++P)
      Users[P] += Uses[P];
  }
  for (unsigned P = 0; P < NumPipes; ++P)
    A.Busy[P] = Users[P] && R.Cycles > 0 ? R.Busy[P] / Users[P] / R.Cycles : 0;
  A.Read = F.Read;
  A.Written = F.Written;
  A.LeastRead = F.LeastRead;
  A.LeastWritten = F.LeastWritten;
  A.DramBytes = R.DramBytes;
  double Dram =
      static_cast<double>(F.LeastRead) +
      (F.Resident <= C.L2Bytes ? 0.0 : static_cast<double>(F.LeastWritten));
  A.LeastBytes = Dram / (C[Parameter::DramRate] * C[Parameter::DramEfficiency]);
}

} // namespace

void measure(const Launch &L, const CostTable &Table, Answer &A, bool AllDraws,
             ReplayResult *Middle) {
  A = {};
  A.Magic = AnswerMagic;
  A.NumCores = static_cast<uint32_t>(L.Cores.size());
  for (const Stream &Core : L.Cores)
    A.NumSteps += Core.Steps.size();
  Footprint F = footprintOf(L.Cores, L.GlobalBytes);
  A.NumDraws = AllDraws ? NumDraws : NumRangeDraws;
  L2Hits Hits;
  ReplayResult R[NumDraws];
  auto Replay = [&](unsigned D) {
    R[D] = replay(L, F, Costs(Table, Draws[D]), D == MiddleDraw,
                  F.Reuse ? &Hits : nullptr);
  };
  // What is in L2 is decided in the middle draw.
  if (F.Reuse)
    Replay(MiddleDraw);
  std::vector<std::thread> Others;
  for (unsigned D = 0; D < A.NumDraws; ++D)
    if (D != MiddleDraw)
      Others.emplace_back(Replay, D);
  if (!F.Reuse)
    Replay(MiddleDraw);
  Costs C(Table, Draws[MiddleDraw]);
  ReplayResult &M = R[MiddleDraw];
  if (M.Known) {
    Chain Path(L, C, M, A);
    Path.follow();
    fillSites(L, Path, A);
    fillShares(L, F, C, M, A);
  }
  for (std::thread &Each : Others)
    Each.join();
  A.Known = true;
  for (unsigned D = 0; D < A.NumDraws; ++D) {
    A.Cycles[D] = R[D].Cycles;
    A.Known &= R[D].Known;
  }
  if (!A.Known)
    std::snprintf(A.Why, sizeof A.Why,
                  "a core waits for a flag that is never set in this order");
  if (Middle)
    *Middle = std::move(M);
}

/// The kind of instruction that a pipe waited for, through flags and barriers.
Cause causeOfWait(const Launch &L, const ReplayResult &R, const Node &N) {
  NodeRef At = N.After;
  for (unsigned Depth = 0; Depth < 4; ++Depth) {
    if (!At.known() || At.Issue)
      return Cause::Scalar;
    switch (L.Cores[At.Core].Steps[At.Index].Kind) {
    case StepKind::GlobalCopy:
      return Cause::Bytes;
    case StepKind::Vector:
      return Cause::Vector;
    case StepKind::Cube:
      return Cause::Cube;
    case StepKind::LocalCopy:
      return Cause::LocalCopy;
    case StepKind::CrossWait:
    case StepKind::SyncAll:
      return Cause::OtherCores;
    default:
      At = R.Nodes[At.Core][At.Index].After;
    }
  }
  return Cause::HandOver;
}

} // namespace belay::timing
