//===- Replay.cpp - The streams of all cores against a clock --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Replay.h"

#include "timing/SharedMemory.h"

#include <array>
#include <deque>
#include <map>
#include <queue>
#include <utility>

namespace belay::timing {

namespace {

/// Something that happened, and after what.
struct Moment {
  double At = 0;
  NodeRef After;
  void raise(double Time, NodeRef What) {
    if (Time > At)
      *this = {Time, What};
  }
};

struct PipeState {
  Moment Free;  // it can take the next instruction
  Moment Ready; // what it waited for has come
  Moment Done;  // all that it took is complete
  struct Held {
    uint32_t Index;
    double Issued;
  };
  std::deque<Held> Waiting; // not yet executed, after a wait without a set
};

/// The sets of an event that nobody has waited for: nearly always one.
struct EventState {
  Moment First, Last;
  std::deque<Moment> Others;
  bool HasFirst = false, Any = false;

  bool empty() const { return !HasFirst; }
  void set(const Moment &When) {
    if (HasFirst)
      Others.push_back(When);
    else
      First = When;
    Last = When;
    HasFirst = Any = true;
  }
  Moment take() {
    Moment Taken = First;
    HasFirst = !Others.empty();
    if (HasFirst) {
      First = Others.front();
      Others.pop_front();
    }
    return Taken;
  }
};

/// The lines that the scalar unit's cache holds.
struct ScalarCache {
  static constexpr unsigned LineBytes = 64, NumLines = 256;
  std::array<uint64_t, NumLines> Lines = {};
  bool touch(uint64_t Address) {
    uint64_t Line = Address / LineBytes + 1;
    uint64_t &Slot = Lines[Line % NumLines];
    bool Hit = Slot == Line;
    Slot = Line;
    return Hit;
  }
};

struct CoreState {
  const Stream *In;
  uint32_t Number;
  uint32_t Next = 0;
  bool Issued = false; // the scalar unit is done with Next, its pipe is not
  Moment Scalar;       // when the scalar unit issues next; After if it stalled
  PipeState Pipes[NumPipes];
  uint32_t NumWaiting = 0; // steps in all of them
  std::vector<EventState> Events;
  std::map<uint16_t, std::vector<Moment>> CrossSets;
  std::vector<Moment> Arrivals[2]; // at SyncAll
  ScalarCache Cache;
  uint32_t Copies = 0; // that have started
  bool Ended = false;
};

enum class Progress { Moved, NeedsMemory, Parked, Stuck };

class Machine {
public:
  Machine(const Launch &L, const Footprint &F, const Costs &C, bool Keep,
          L2Hits *Hits)
      : L(L), C(C), Keep(Keep), Reuse(F.Reuse), Hits(Hits),
        HitsKnown(Hits && !Hits->empty()),
        Dram(C[Parameter::DramRate] * C[Parameter::DramEfficiency]),
        L2(C[Parameter::L2Rate]),
        Contents(C.L2Bytes, Reuse && !HitsKnown ? F.GlobalBytes : 0),
        WritesStay(F.Resident <= C.L2Bytes) {}

  ReplayResult run();

private:
  Progress advance(CoreState &X);
  Progress issue(CoreState &X, const Step &S);
  bool execute(CoreState &X, uint32_t Index, double Issued);
  void catchUp(CoreState &X);
  Progress fence(CoreState &X);
  Progress crossWait(CoreState &X, const Step &S);
  Progress syncAll(CoreState &X, const Step &S);
  void scalarWaits(CoreState &X, const Moment &For, double Cost);
  void copy(CoreState &X, const Step &S, uint32_t Index, double Issued);
  uint64_t hitsOf(CoreState &X, const Step &S);
  double transfer(CoreState &X, const Step &S, double Start);
  void occupy(CoreState &X, const Step &S, uint32_t Index, double Issued,
              double Cycles, double Latency);
  Moment startOf(const CoreState &X, const Step &S, uint32_t Index,
                 double Issued) const;
  void finish();
  void keep(const CoreState &X, uint32_t Index, double Start, double End,
            NodeRef After) {
    if (!Keep)
      return;
    Node &N = Result.Nodes[X.Number][Index];
    N.Start = Start;
    N.End = End;
    N.After = After;
  }

  const Launch &L;
  const Costs &C;
  bool Keep, Reuse;
  L2Hits *Hits;
  bool HitsKnown;
  SharedRate Dram, L2;
  L2Contents Contents;
  bool WritesStay; // what is written stays in L2 until the kernel has ended
  std::vector<CoreState> Cores;
  std::vector<uint32_t> Parked; // cores that wait for another one
  bool Told = false;            // something that they may wait for
  ReplayResult Result;
};

PipeState &pipeOf(CoreState &X, Pipe P) {
  return X.Pipes[static_cast<unsigned>(P)];
}

Moment Machine::startOf(const CoreState &X, const Step &S, uint32_t Index,
                        double Issued) const {
  const PipeState &P = X.Pipes[static_cast<unsigned>(S.On)];
  Moment Start = {Issued, {X.Number, Index, true}};
  Start.raise(P.Free.At, P.Free.After);
  Start.raise(P.Ready.At, P.Ready.After);
  return Start;
}

/// An instruction that keeps its pipe for Cycles and is complete after Latency
/// more.
void Machine::occupy(CoreState &X, const Step &S, uint32_t Index, double Issued,
                     double Cycles, double Latency) {
  PipeState &P = pipeOf(X, S.On);
  Moment Start = startOf(X, S, Index, Issued);
  NodeRef Me = {X.Number, Index, false};
  P.Free = {Start.At + Cycles, Me};
  P.Done.raise(P.Free.At + Latency, Me);
  Result.Busy[static_cast<unsigned>(S.On)] += Cycles;
  keep(X, Index, Start.At, P.Free.At + Latency, Start.After);
}

/// The bytes of a copy that are in L2.
uint64_t Machine::hitsOf(CoreState &X, const Step &S) {
  if (HitsKnown)
    return (*Hits)[X.Number][X.Copies++];
  uint64_t InL2 = 0;
  uint32_t Burst = S.Bytes / std::max(1u, S.Bursts);
  for (uint32_t N = 0; N < S.Bursts; ++N)
    InL2 += Contents.touch(S.Address + uint64_t(N) * S.Pitch, Burst, S.Bypass);
  if (Hits)
    (*Hits)[X.Number].push_back(static_cast<uint32_t>(InL2));
  return InL2;
}

/// When the bytes of a copy have been moved.
double Machine::transfer(CoreState &X, const Step &S, double Start) {
  uint64_t InL2 = Reuse ? hitsOf(X, S) : 0;
  if (S.Write)
    InL2 = WritesStay ? S.Bytes : 0;
  double Hit = static_cast<double>(std::min<uint64_t>(InL2, S.Bytes));
  double Miss = S.Bytes - Hit;
  double Core;
  if (S.Write) {
    Core = C[S.From == Space::L0C ? Parameter::L0cGmRate : Parameter::UbGmRate];
  } else {
    bool Ub = S.To == Space::UB;
    double Cycles = Hit / C[Ub ? Parameter::GmUbHit : Parameter::GmL1Hit] +
                    Miss / C[Ub ? Parameter::GmUbMiss : Parameter::GmL1Miss];
    Core = Cycles > 0 ? S.Bytes / Cycles : 1;
  }
  auto Alignment = static_cast<uint64_t>(C[Parameter::DmaAlignment]);
  bool Apart = S.Bursts > 1 && S.Pitch != S.Bytes / S.Bursts;
  if (Alignment && (S.Address % Alignment || (Apart && S.Pitch % Alignment)))
    Miss *= C[Parameter::DmaUnaligned];
  double End = Start;
  if (Miss > 0)
    End = std::max(End, Dram.reserve(Start, Miss, Core));
  if (Hit > 0)
    End = std::max(End, L2.reserve(Start, Hit, Core));
  Result.DramBytes += static_cast<uint64_t>(Miss);
  Result.L2Bytes += static_cast<uint64_t>(Hit);
  return std::max(End, Start + S.Bytes / Core);
}

void Machine::copy(CoreState &X, const Step &S, uint32_t Index, double Issued) {
  double Start = startOf(X, S, Index, Issued).At;
  double Moved = std::max(transfer(X, S, Start), Start + copyIssue(S, C));
  occupy(X, S, Index, Issued, Moved - Start, copyLatency(S, C));
}

/// Carries out what stands at the head of a pipe. False if it waits for a set
/// that has not been executed.
bool Machine::execute(CoreState &X, uint32_t Index, double Issued) {
  const Step &S = X.In->Steps[Index];
  PipeState &P = pipeOf(X, S.On);
  NodeRef Me = {X.Number, Index, false};
  switch (S.Kind) {
  case StepKind::Vector:
    occupy(X, S, Index, Issued, vectorCycles(S, C).total(), 0);
    return true;
  case StepKind::Cube:
    occupy(X, S, Index, Issued, cubeCycles(S, C), 0);
    return true;
  case StepKind::LocalCopy:
    occupy(X, S, Index, Issued, S.Bytes / localRate(S, C),
           C[Parameter::LocalLatency]);
    return true;
  case StepKind::GlobalCopy:
    copy(X, S, Index, Issued);
    return true;
  case StepKind::Set: {
    Moment When = {Issued, {X.Number, Index, true}};
    When.raise(P.Done.At, P.Done.After);
    When.raise(P.Ready.At, P.Ready.After);
    X.Events[S.Event].set(When);
    return true;
  }
  case StepKind::Wait:
  case StepKind::WaitLast: {
    EventState &E = X.Events[S.Event];
    bool Queue = S.Kind == StepKind::WaitLast;
    if (Queue ? !E.Any : E.empty())
      return Queue;
    Moment Set = E.empty() ? E.Last : E.take();
    if (Queue)
      Set = E.Last;
    double End = Set.At + C[Parameter::SyncHandOver];
    P.Ready.raise(End, Me);
    keep(X, Index, Set.At, End, Set.After);
    return true;
  }
  case StepKind::Barrier: {
    double End = P.Done.At + C[Parameter::SyncBarrier];
    keep(X, Index, P.Done.At, End, P.Done.After);
    P.Ready.raise(End, Me);
    return true;
  }
  case StepKind::CrossSet: {
    Moment When = {Issued, {X.Number, Index, true}};
    When.raise(P.Done.At, P.Done.After);
    X.CrossSets[S.Event].push_back(When);
    Told = true;
    return true;
  }
  default:
    return true;
  }
}

/// Lets pipes go on that a set has come for.
void Machine::catchUp(CoreState &X) {
  for (bool Moved = X.NumWaiting != 0; Moved;) {
    Moved = false;
    for (PipeState &P : X.Pipes)
      while (!P.Waiting.empty() &&
             execute(X, P.Waiting.front().Index, P.Waiting.front().Issued)) {
        P.Waiting.pop_front();
        --X.NumWaiting;
        Moved = true;
      }
  }
}

void Machine::scalarWaits(CoreState &X, const Moment &For, double Cost) {
  if (For.At + Cost <= X.Scalar.At)
    return;
  keep(X, X.Next, For.At, For.At + Cost, For.After);
  X.Scalar.At = For.At + Cost;
}

/// The scalar unit waits for all pipes.
Progress Machine::fence(CoreState &X) {
  catchUp(X);
  Moment All;
  for (const PipeState &P : X.Pipes) {
    if (!P.Waiting.empty())
      return Progress::Stuck;
    All.raise(P.Done.At, P.Done.After);
    All.raise(P.Ready.At, P.Ready.After);
  }
  scalarWaits(X, All, C[Parameter::SyncBarrier]);
  return Progress::Moved;
}

Progress Machine::crossWait(CoreState &X, const Step &S) {
  catchUp(X);
  auto Mode = static_cast<uint8_t>(S.Event >> 10);
  Moment All;
  for (CoreState &Other : Cores) {
    if (Other.Number == X.Number || !L.Feeds ||
        !L.Feeds(Other.Number, X.Number, Mode))
      continue;
    auto Sets = Other.CrossSets.find(S.Event);
    // Words do not count; the newest that was set is taken.
    if (Mode == SoftMode) {
      if (Sets != Other.CrossSets.end())
        All.raise(Sets->second.back().At, Sets->second.back().After);
      continue;
    }
    if (Sets == Other.CrossSets.end() || Sets->second.size() <= S.Address) {
      // Of cores that have ended no set is to come: they had no part in it.
      if (Other.Ended)
        continue;
      return Progress::Parked;
    }
    All.raise(Sets->second[S.Address].At, Sets->second[S.Address].After);
  }
  double Cost = C[Parameter::SyncCross];
  if (!S.OwnPipe || S.On == Pipe::S) {
    scalarWaits(X, All, Cost);
    return Progress::Moved;
  }
  keep(X, X.Next, All.At, All.At + Cost, All.After);
  pipeOf(X, S.On).Ready.raise(All.At + Cost, {X.Number, X.Next, false});
  return Progress::Moved;
}

Progress Machine::syncAll(CoreState &X, const Step &S) {
  bool VectorOnly = S.Class;
  auto &Mine = X.Arrivals[VectorOnly];
  if (!X.Issued) {
    if (Progress P = fence(X); P != Progress::Moved)
      return P;
    Mine.push_back({X.Scalar.At, {X.Number, X.Next, true}});
    X.Issued = Told = true;
  }
  Moment All;
  for (CoreState &Other : Cores) {
    if (VectorOnly && Other.In->Kind == CoreKind::Cube)
      continue;
    auto &Theirs = Other.Arrivals[VectorOnly];
    if (Theirs.size() < Mine.size()) {
      if (Other.Ended)
        continue;
      return Progress::Parked;
    }
    const Moment &When = Theirs[Mine.size() - 1];
    All.raise(When.At, When.After);
  }
  // The last core to come has only itself to wait for.
  if (All.After.Core == X.Number)
    X.Scalar.At = All.At + C[Parameter::SyncAll];
  else
    scalarWaits(X, All, C[Parameter::SyncAll]);
  return Progress::Moved;
}

/// What the scalar unit does with a step.
Progress Machine::issue(CoreState &X, const Step &S) {
  switch (S.Kind) {
  case StepKind::Scalar:
    X.Scalar.At += S.Bytes ? C[Parameter::ScalarAccess] : 0;
    return Progress::Moved;
  case StepKind::ScalarGlobal:
    X.Scalar.At += C[Parameter::ScalarAccess] +
                   (X.Cache.touch(S.Address) ? 0 : C[Parameter::ScalarMiss]);
    return Progress::Moved;
  case StepKind::AutoWait: {
    catchUp(X);
    const PipeState &P = X.Pipes[S.Class % NumPipes];
    if (P.Done.At > X.Scalar.At)
      scalarWaits(X, P.Done, C[Parameter::SyncToScalar]);
    return Progress::Moved;
  }
  case StepKind::BlockEnd: {
    Progress P = fence(X);
    if (X.Next + 1 < X.In->Steps.size())
      X.Scalar.At += C[Parameter::LaunchNextBlock];
    return P;
  }
  case StepKind::Barrier:
    if (S.On == Pipe::All)
      return fence(X);
    break;
  case StepKind::CrossWait:
    return crossWait(X, S);
  case StepKind::SyncAll:
    return syncAll(X, S);
  case StepKind::Wait:
  case StepKind::WaitLast:
    if (S.On == Pipe::S) {
      catchUp(X);
      EventState &E = X.Events[S.Event];
      if (E.empty())
        return S.Kind == StepKind::WaitLast ? Progress::Moved : Progress::Stuck;
      scalarWaits(X, E.take(), C[Parameter::SyncToScalar]);
      return Progress::Moved;
    }
    break;
  case StepKind::Set:
    if (S.On == Pipe::S) {
      X.Events[S.Event].set({X.Scalar.At, {X.Number, X.Next, true}});
      catchUp(X);
      return Progress::Moved;
    }
    break;
  default:
    break;
  }
  PipeState &P = pipeOf(X, S.On);
  if (!P.Waiting.empty()) {
    P.Waiting.push_back({X.Next, X.Scalar.At});
    ++X.NumWaiting;
    return Progress::Moved;
  }
  if (S.Kind == StepKind::GlobalCopy && !X.Issued)
    return Progress::NeedsMemory;
  if (!execute(X, X.Next, X.Scalar.At)) {
    P.Waiting.push_back({X.Next, X.Scalar.At});
    ++X.NumWaiting;
  } else if (S.Kind == StepKind::Set) {
    catchUp(X);
  }
  return Progress::Moved;
}

/// Goes on with a core until it needs global memory or another core.
Progress Machine::advance(CoreState &X) {
  while (X.Next < X.In->Steps.size()) {
    const Step &S = X.In->Steps[X.Next];
    if (!X.Issued && S.Kind != StepKind::AutoWait &&
        S.Kind != StepKind::BlockEnd) {
      X.Scalar.At += C[Parameter::ScalarCall];
      Result.Busy[0] += C[Parameter::ScalarCall];
    }
    double Before = X.Scalar.At;
    Progress P = issue(X, S);
    if (S.Kind == StepKind::Scalar || S.Kind == StepKind::ScalarGlobal)
      Result.Busy[0] += X.Scalar.At - Before;
    if (P != Progress::Moved) {
      X.Issued = true;
      return P;
    }
    if (Keep)
      Result.Nodes[X.Number][X.Next].Issued = X.Scalar.At;
    X.Issued = false;
    ++X.Next;
  }
  X.Ended = Told = true;
  return Progress::Moved;
}

void Machine::finish() {
  for (CoreState &X : Cores) {
    catchUp(X);
    Moment End = {X.Scalar.At, {X.Number, X.Next ? X.Next - 1 : 0, true}};
    for (PipeState &P : X.Pipes)
      End.raise(P.Done.At, P.Done.After);
    if (End.At > Result.Cycles) {
      Result.Cycles = End.At;
      Result.Last = End.After;
    }
  }
}

ReplayResult Machine::run() {
  bool HasCube = false, HasVector = false;
  for (const Stream &Core : L.Cores)
    (Core.Kind == CoreKind::Cube ? HasCube : HasVector) = true;
  Result.Head =
      C[Parameter::LaunchBase] +
      C[Parameter::LaunchPerCore] * static_cast<double>(L.Cores.size()) +
      (HasCube && HasVector ? C[Parameter::LaunchMix] : 0);
  Cores.resize(L.Cores.size());
  if (Hits && !HitsKnown)
    Hits->resize(L.Cores.size());
  if (Keep)
    Result.Nodes.resize(L.Cores.size());
  using Entry = std::pair<double, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> Queue;
  for (uint32_t N = 0; N < Cores.size(); ++N) {
    CoreState &X = Cores[N];
    X.In = &L.Cores[N];
    X.Number = N;
    X.Scalar.At = Result.Head;
    X.Events.resize(X.In->NumEvents);
    if (Keep)
      Result.Nodes[N].resize(X.In->Steps.size());
    Queue.push({Result.Head, N});
  }
  while (!Queue.empty()) {
    CoreState &X = Cores[Queue.top().second];
    Queue.pop();
    Progress P = advance(X);
    if (P == Progress::Stuck)
      return Result;
    if (P == Progress::NeedsMemory)
      Queue.push(
          {startOf(X, X.In->Steps[X.Next], X.Next, X.Scalar.At).At, X.Number});
    if (P == Progress::Parked)
      Parked.push_back(X.Number);
    if (!Told)
      continue;
    Told = false;
    for (uint32_t N : std::exchange(Parked, {}))
      Queue.push({Cores[N].Scalar.At, N});
  }
  if (!Parked.empty())
    return Result;
  finish();
  Result.Known = true;
  return Result;
}

} // namespace

ReplayResult replay(const Launch &L, const Footprint &F, const Costs &C,
                    bool KeepNodes, L2Hits *Hits) {
  return Machine(L, F, C, KeepNodes, Hits).run();
}

} // namespace belay::timing
