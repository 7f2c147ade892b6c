//===- Recorder.cpp - Has a launch timed ----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Recorder.h"

#include "abi/Launch.h"
#include "model/core/Core.h"
#include "model/core/CrossCore.h"
#include "model/core/Failure.h"
#include "model/core/FunctionNames.h"
#include "model/core/Observer.h"
#include "model/core/Product.h"
#include "order/AutoSync.h"
#include "timing/Banks.h"
#include "timing/Timeline.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace belay::timing {

using sim::Elem;
using sim::Extent;
using sim::InstructionKind;
using sim::InstructionRecord;
using sim::OperandRecord;

namespace {

/// More would take more memory than a run may have.
constexpr uint64_t MaxSteps = 48'000'000;
uint64_t bytesOf(const Extent &E) { return E.work(); }
/// Steps keep 32 bits; more than that is a long time anyway.
uint32_t saturated(uint64_t N) {
  return static_cast<uint32_t>(std::min<uint64_t>(N, UINT32_MAX));
}

/// What the recorders of all cores share.
struct Shared {
  Shared(sim::Device &D, const CostTable &T) : D(D), Table(T), Ub(T) {
    for (const sim::GlobalBuffer &B : D.globals()) {
      Bases.push_back(GlobalBytes);
      GlobalBytes += (B.Bytes + B.Slack + 4095) / 4096 * 4096;
    }
  }

  /// An address of global memory, with all arguments in one row.
  uint64_t flat(const void *Address) const {
    const sim::GlobalBuffer *B = D.findGlobal(Address);
    if (!B)
      return 0;
    return Bases[static_cast<size_t>(B - D.globals().data())] +
           static_cast<uint64_t>(static_cast<const uint8_t *>(Address) -
                                 B->Address);
  }

  sim::Device &D;
  CostTable Table;
  Banks Ub;
  std::vector<uint64_t> Bases;
  uint64_t GlobalBytes = 0;
  std::atomic<uint64_t> NumSteps{0};
  std::atomic<bool> HasThreads{false};
};

/// Which pipe wrote a piece of the UB last, for flags that the compiler inserts
/// between it and the scalar unit.
class LastWriters {
public:
  void wrote(Pipe P, uint64_t Offset, uint64_t Span) {
    size_t Last = std::min<size_t>(NumPieces - 1, (Offset + Span) / PieceBytes);
    for (size_t N = Offset / PieceBytes; N <= Last; ++N)
      Pieces[N] = P;
  }
  Pipe at(uint64_t Offset) const {
    return Pieces[std::min<size_t>(NumPieces - 1, Offset / PieceBytes)];
  }
  /// The scalar unit has waited for P.
  void waited(Pipe P) {
    std::replace(std::begin(Pieces), std::end(Pieces), P, Pipe::S);
  }

private:
  static constexpr size_t PieceBytes = 1024, NumPieces = 256;
  Pipe Pieces[NumPieces] = {};
};

class Recorder : public sim::Observer {
public:
  Recorder(sim::Core &C, Shared &All, Stream &Out)
      : C(C), All(All), Out(Out),
        Auto(C.arch().vectorInterlock, C.Kind, All.D.plan().CompilerSync) {
    Out.Kind = C.Kind;
    Out.Block = C.Block;
    Out.SubBlock = C.SubBlock;
    Out.Group = C.Group;
  }

  void onInstruction(const InstructionRecord &I) override {
    if (Full)
      return;
    if (I.OfFunction && !std::strcmp(I.Name, sim::ThreadsName))
      All.HasThreads = true;
    switch (I.Kind) {
    case InstructionKind::Compute:
      return compute(I);
    case InstructionKind::Copy:
      return copy(I);
    case InstructionKind::ScalarAccess:
    case InstructionKind::CacheClean:
      return scalar(I);
    case InstructionKind::SetFlag:
      return event(I, StepKind::Set, I.On, flagOf(I));
    case InstructionKind::WaitFlag:
      return event(I, StepKind::Wait, I.To, flagOf(I));
    case InstructionKind::EnQue:
      return event(I, StepKind::Set, I.On, bufferOf(I, 0));
    case InstructionKind::DeQue:
      return event(I, StepKind::WaitLast, I.To, bufferOf(I, 0));
    case InstructionKind::Free:
      return event(I, StepKind::Set, I.To, bufferOf(I, 1));
    case InstructionKind::Alloc:
      return event(I, StepKind::WaitLast, I.On, bufferOf(I, 1));
    case InstructionKind::Unlock:
      return event(I, StepKind::Set, I.On, eventOf(mutexKey(I)));
    case InstructionKind::Lock:
      return event(I, StepKind::WaitLast, I.On, eventOf(mutexKey(I)));
    case InstructionKind::Barrier: {
      Step S = stepOf(I, StepKind::Barrier);
      S.On = I.On;
      return add(S);
    }
    case InstructionKind::CrossSet:
    case InstructionKind::CrossWait:
      return crossFlag(I);
    case InstructionKind::SyncAll: {
      Step S = stepOf(I, StepKind::SyncAll);
      S.On = Pipe::All;
      S.Class = I.VectorOnly;
      return add(S);
    }
    }
  }

  void onEnd() override {
    if (Out.Steps.empty())
      return;
    Step S;
    S.Kind = StepKind::BlockEnd;
    S.Site = Out.Steps.back().Site;
    S.On = Pipe::All;
    add(S);
  }

private:
  struct Place {
    uint32_t Site;
    uint16_t Row;
  };

  void add(const Step &S) {
    Out.Steps.push_back(S);
    if (++Unreported < 4096)
      return;
    All.NumSteps += std::exchange(Unreported, 0);
    Full = All.NumSteps > MaxSteps;
  }

  /// The place of an instruction, and the costs of its kind.
  const Place &placeOf(const InstructionRecord &I, unsigned Bits) {
    uint64_t Key = reinterpret_cast<uint64_t>(I.PC) * 31 +
                   reinterpret_cast<uint64_t>(I.Name) + (uint64_t(Bits) << 56);
    auto [It, New] = Places.try_emplace(Key);
    if (New) {
      It->second = {static_cast<uint32_t>(Out.Sites.size()),
                    All.Table.rowOf(I.Name, "b" + std::to_string(Bits))};
      Out.Sites.push_back({sim::kernelOffset(I.PC), I.Name, I.On});
    }
    return It->second;
  }

  Step stepOf(const InstructionRecord &I, StepKind Kind, unsigned Bits = 0) {
    const Place &P = placeOf(I, Bits);
    Step S;
    S.Kind = Kind;
    S.On = I.On;
    S.Site = P.Site;
    S.Row = P.Row;
    return S;
  }

  // --- events
  uint16_t eventOf(uint64_t Key) {
    auto [It, New] = Events.try_emplace(Key);
    if (New) {
      It->second = static_cast<uint16_t>(Out.NumEvents++);
      if (Out.NumEvents >= 0xffff) {
        Full = true;
        All.NumSteps = MaxSteps + 1;
      }
    }
    return It->second;
  }
  uint16_t flagOf(const InstructionRecord &I) {
    return eventOf(static_cast<uint64_t>(I.On) << 16 |
                   static_cast<uint64_t>(I.To) << 8 |
                   static_cast<uint8_t>(I.Id));
  }
  uint16_t bufferOf(const InstructionRecord &I, unsigned Phase) {
    return eventOf((reinterpret_cast<uint64_t>(I.Object) << 1 | Phase) |
                   uint64_t(1) << 63);
  }
  static uint64_t mutexKey(const InstructionRecord &I) {
    return uint64_t(1) << 62 | static_cast<uint32_t>(I.Id);
  }
  void event(const InstructionRecord &I, StepKind Kind, Pipe On,
             uint16_t Event) {
    if (On >= Pipe::All)
      return;
    Step S = stepOf(I, Kind);
    S.On = On;
    S.Event = Event;
    add(S);
  }
  void crossFlag(const InstructionRecord &I) {
    bool Wait = I.Kind == InstructionKind::CrossWait;
    Step S = stepOf(I, Wait ? StepKind::CrossWait : StepKind::CrossSet);
    uint16_t Mode = I.Soft ? SoftMode : I.Mode;
    S.Event = static_cast<uint16_t>(Mode << 10 | (I.Id & 1023));
    S.Address = I.Ordinal;
    S.OwnPipe = C.arch().crossWaitHoldsPipe;
    add(S);
  }

  // --- the scalar unit
  void scalar(const InstructionRecord &I) {
    Step S = stepOf(I, StepKind::Scalar);
    S.On = Pipe::S;
    S.Bytes = I.NumOperands ? 1 : 0;
    if (!I.NumOperands)
      return add(S);
    const OperandRecord &O = I.Operands[0];
    if (O.Where == Space::GM) {
      S.Kind = StepKind::ScalarGlobal;
      S.Address = All.flat(O.Address);
      S.Bytes = saturated(bytesOf(O.Bytes));
      S.Write = O.Write;
    } else if (O.Where == Space::UB) {
      Pipe Writer = Ub.at(ubOffset(O));
      if (Writer != Pipe::S && Auto.orders(Writer, Pipe::S)) {
        Step W = S;
        W.Kind = StepKind::AutoWait;
        W.Class = static_cast<uint8_t>(Writer);
        add(W);
        Ub.waited(Writer);
      }
    }
    add(S);
  }

  uint64_t ubOffset(const OperandRecord &O) const {
    return static_cast<uint64_t>(static_cast<const uint8_t *>(O.Address) -
                                 C.Memories.base(Space::UB));
  }
  void noteWrites(const InstructionRecord &I) {
    for (unsigned N = 0; N < I.NumOperands; ++N)
      if (I.Operands[N].Write && I.Operands[N].Where == Space::UB)
        Ub.wrote(I.On, ubOffset(I.Operands[N]), I.Operands[N].Bytes.span());
  }

  // --- instructions that compute
  void compute(const InstructionRecord &I) {
    if (I.Shape)
      return cube(I);
    if (I.On == Pipe::V)
      return vector(I);
    if (I.On == Pipe::S || I.On == Pipe::All)
      return object(I);
    Step S = stepOf(I, StepKind::LocalCopy);
    for (unsigned N = 0; N < I.NumOperands; ++N)
      if (I.Operands[N].Write) {
        S.Bytes = saturated(S.Bytes + bytesOf(I.Operands[N].Bytes));
        S.From = S.To = I.Operands[N].Where;
      }
    add(S);
  }

  void cube(const InstructionRecord &I) {
    Step S = stepOf(I, StepKind::Cube);
    const sim::Product &P = *I.Shape;
    S.Work = P.Rows * P.Columns * P.Inner * P.C0;
    Elem T = I.NumOperands ? I.Operands[0].Type : Elem::F16;
    S.Class = T == Elem::S4          ? 2
              : sim::bytesOf(T) == 1 ? 1
              : sim::bytesOf(T) == 4 ? 3
                                     : 0;
    add(S);
  }

  void vector(const InstructionRecord &I) {
    if (I.OfFunction) // the whole function is one step, when it ends
      return noteWrites(I);
    uint64_t Most = 0;
    uint32_t Bits = 8;
    for (unsigned N = 0; N < I.NumOperands; ++N) {
      const OperandRecord &O = I.Operands[N];
      Most = std::max(Most, bytesOf(O.Bytes));
      Bits = std::max(Bits, 8 * sim::bytesOf(O.Type));
    }
    Step S = stepOf(I, StepKind::Vector, Bits);
    S.Work = std::max(I.Inner, saturated((Most + 255) / 256));
    for (unsigned N = 0; N < I.NumOperands; ++N)
      S.Work = std::max(S.Work, saturated(I.Operands[N].Bytes.Repeats));
    if (S.Row != CostTable::NoRow)
      addConflicts(I, S, Most);
    noteWrites(I);
    add(S);
  }

  void addConflicts(const InstructionRecord &I, Step &S, uint64_t Most) {
    BlockWalk Walks[4] = {};
    unsigned Num = 0;
    for (unsigned N = 0; N < I.NumOperands && Num < 4; ++N) {
      const OperandRecord &O = I.Operands[N];
      if (O.Where != Space::UB || bytesOf(O.Bytes) * 8 < Most)
        continue;
      Walks[Num] = walkOf(O, S.Work, Most);
      Num += Walks[Num].Blocks != 0;
    }
    if (!Num)
      return;
    const Conflicts &Found = conflictsOf(Walks, Num, S.Work);
    S.ReadConflicts =
        static_cast<uint16_t>(std::min<uint32_t>(Found.Reads, 0xffff));
    S.WriteConflicts =
        static_cast<uint16_t>(std::min<uint32_t>(Found.ReadWrites, 0xffff));
  }

  /// Kernels use the same few addresses again and again.
  const Conflicts &conflictsOf(const BlockWalk *Walks, unsigned Num,
                               uint32_t Repeats) {
    uint64_t Hash = Repeats;
    for (unsigned N = 0; N < Num; ++N)
      Hash = Hash * 0x9e3779b97f4a7c15u + (Walks[N].Address >> 5);
    KnownConflict &K = Conflicted[Hash >> 32 & (NumConflicted - 1)];
    if (K.Num != Num || K.Repeats != Repeats ||
        !std::equal(Walks, Walks + Num, K.Walks))
      K = {All.Ub.of(Walks, Num, Repeats),
           Num,
           Repeats,
           {Walks[0], Walks[1], Walks[2], Walks[3]}};
    return K.Found;
  }

  /// The blocks that an operand has in each of Repeats repeats, the largest
  /// operand having 256 bytes in each.
  BlockWalk walkOf(const OperandRecord &O, uint32_t Repeats, uint64_t Most) {
    const Extent &E = O.Bytes;
    BlockWalk W;
    W.Address = ubOffset(O);
    W.Write = O.Write;
    if (E.Repeats == 1 && E.Blocks == 1) {
      uint64_t Bytes = bytesOf(E);
      uint64_t Each = std::max<uint64_t>(32, Bytes * 256 / Most / 32 * 32);
      W.Blocks = static_cast<uint32_t>(Each / 32);
      W.RepeatStride = Each;
      uint64_t Rest = Bytes - std::min(Bytes, (Repeats - 1) * Each);
      W.LastBlocks =
          static_cast<uint32_t>(std::min<uint64_t>(W.Blocks, (Rest + 31) / 32));
      return W;
    }
    uint64_t Blocks = E.Blocks > 1 ? E.Blocks : (E.BlockBytes + 31) / 32;
    W.BlockStride = E.Blocks > 1 ? static_cast<uint64_t>(E.BlockStride) : 32;
    W.RepeatStride = static_cast<uint64_t>(E.RepeatStride);
    W.Blocks = static_cast<uint32_t>(std::min<uint64_t>(Blocks, 8));
    W.LastBlocks = W.Blocks;
    return W;
  }

  /// An object of the library that drives several pipes by itself. Its copies
  /// and its products are taken to overlap; the scalar unit waits for all.
  void object(const InstructionRecord &I) {
    double Product = 1;
    unsigned Matrices = 0;
    for (unsigned N = 0; N < I.NumOperands; ++N) {
      const OperandRecord &O = I.Operands[N];
      if (Matrices < 3 && bytesOf(O.Bytes) > 256) {
        Product *= static_cast<double>(bytesOf(O.Bytes)) / sim::bytesOf(O.Type);
        ++Matrices;
      }
      if (O.Where != Space::GM)
        continue;
      Step S = stepOf(I, StepKind::GlobalCopy);
      globalSide(S, O);
      S.On = O.Write ? Pipe::FIX : Pipe::MTE2;
      S.From = O.Write ? Space::L0C : Space::GM;
      S.To = O.Write ? Space::GM : Space::L1;
      add(S);
    }
    if (Matrices == 3) { // m x k, k x n and m x n elements
      Step S = stepOf(I, StepKind::Cube);
      S.On = Pipe::M;
      S.Work = static_cast<uint32_t>(std::sqrt(Product) / 256);
      add(S);
    }
    for (Pipe P : {Pipe::MTE2, Pipe::M, Pipe::FIX}) {
      Step S = stepOf(I, StepKind::AutoWait);
      S.On = Pipe::S;
      S.Class = static_cast<uint8_t>(P);
      add(S);
    }
  }

  // --- copies
  void globalSide(Step &S, const OperandRecord &O) {
    const Extent &E = O.Bytes;
    S.Address = All.flat(O.Address);
    S.Bytes = saturated(bytesOf(E));
    S.Write = O.Write;
    bool IsOneRow = E.Blocks == 1 || E.BlockStride == int64_t(E.BlockBytes);
    uint64_t Row = IsOneRow ? E.BlockBytes * E.Blocks : E.BlockBytes;
    bool IsOneBurst =
        IsOneRow &&
        (E.Repeats == 1 || static_cast<uint64_t>(E.RepeatStride) == Row);
    S.Bursts =
        IsOneBurst ? 1 : saturated((IsOneRow ? 1 : E.Blocks) * E.Repeats);
    S.Pitch = static_cast<uint32_t>(IsOneRow ? E.RepeatStride : E.BlockStride);
  }

  void copy(const InstructionRecord &I) {
    const OperandRecord *From = nullptr, *To = nullptr;
    for (unsigned N = 0; N < I.NumOperands; ++N) {
      const OperandRecord &O = I.Operands[N];
      const OperandRecord *&First = O.Write ? To : From;
      if (!First)
        First = &O;
    }
    noteWrites(I);
    if (!To || I.On >= Pipe::All)
      return;
    Space Source = From ? From->Where : To->Where;
    bool Global = Source == Space::GM || To->Where == Space::GM;
    Step S = stepOf(I, Global ? StepKind::GlobalCopy : StepKind::LocalCopy);
    S.From = Source;
    S.To = To->Where;
    if (!Global) {
      for (unsigned N = 0; N < I.NumOperands; ++N)
        if (I.Operands[N].Write)
          S.Bytes = saturated(S.Bytes + bytesOf(I.Operands[N].Bytes));
      return add(S);
    }
    S.Class = To->Where == Space::L1 && (I.Teller || I.NumOrigins);
    // A copy in loops has operands for each iteration.
    Space Side = Space::GM;
    bool Writes = To->Where == Space::GM;
    for (unsigned N = 0; N < I.NumOperands; ++N)
      if (I.Operands[N].Where == Side && I.Operands[N].Write == Writes) {
        globalSide(S, I.Operands[N]);
        add(S);
      }
  }

  sim::Core &C;
  Shared &All;
  Stream &Out;
  sim::AutoSync Auto;
  LastWriters Ub;
  struct KnownConflict {
    Conflicts Found;
    unsigned Num = 0;
    uint32_t Repeats = 0;
    BlockWalk Walks[4] = {};
  };
  static constexpr unsigned NumConflicted = 64;
  KnownConflict Conflicted[NumConflicted];
  std::unordered_map<uint64_t, Place> Places;
  std::unordered_map<uint64_t, uint16_t> Events;
  uint64_t Unreported = 0;
  bool Full = false;
};

class Recorders : public sim::LaunchObserver {
public:
  Recorders(sim::Device &D, const CostTable &T, const TimeRequest &Request)
      : All(D, T), Request(Request), To(*Request.To) {
    const sim::Machine &M = D.machine();
    Recorded.Cores.reserve(size_t(M.CubeCores) + M.VectorCores +
                           D.plan().NumBlocks * size_t(3));
  }

  std::unique_ptr<sim::Observer> makeFor(sim::Core &C) override {
    Cores.push_back(&C);
    return std::make_unique<Recorder>(C, All, Recorded.Cores.emplace_back());
  }

  void onEnd() override {
    if (All.HasThreads) {
      To.Magic = AnswerMagic;
      std::snprintf(To.Why, sizeof To.Why,
                    "the kernel executes functions of threads, whose costs are "
                    "not published");
      return;
    }
    if (All.NumSteps > MaxSteps) {
      To.Magic = AnswerMagic;
      std::snprintf(To.Why, sizeof To.Why,
                    "the kernel executes more than %llu instructions, or uses "
                    "more than 65535 buffers",
                    static_cast<unsigned long long>(MaxSteps));
      return;
    }
    Recorded.GlobalBytes = All.GlobalBytes;
    Recorded.Feeds = [this](uint32_t Sets, uint32_t Waits, uint8_t Mode) {
      return Mode == SoftMode ||
             sim::CrossCore::feeds(*Cores[Sets], *Cores[Waits], Mode);
    };
    ReplayResult Middle;
    measure(Recorded, All.Table, To, Request.AllDraws, &Middle);
    if (To.Known && !Request.Timeline.empty())
      writeTimeline(
          drawTimeline(Recorded, Costs(All.Table, Draws[MiddleDraw]), Middle),
          Request.Timeline);
  }

private:
  Shared All;
  TimeRequest Request;
  Answer &To;
  std::vector<sim::Core *> Cores;
  Launch Recorded;
};

} // namespace

void timeLaunch(sim::Device &D, const TimeRequest &Request) {
  CostTable Table;
  std::string Wrong = Table.parse(Request.Costs);
  const targets::Soc *Soc = targets::findSoc(D.machine().Soc);
  if (Wrong.empty())
    Wrong = Table.missing();
  if (!Soc || !Wrong.empty()) {
    Answer &To = *Request.To;
    To.Magic = AnswerMagic;
    std::snprintf(To.Why, sizeof To.Why, "%s", Wrong.c_str());
    return;
  }
  Table.ClockGHz = Soc->clockMHz / 1e3;
  Table.L2Bytes = Soc->l2;
  D.observeWith(std::make_unique<Recorders>(D, Table, Request));
}

} // namespace belay::timing
