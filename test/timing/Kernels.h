//===- Kernels.h - Streams of well-known kernels ----------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TEST_TIMING_KERNELS_H
#define BELAY_TEST_TIMING_KERNELS_H

#include "targets/Target.h"
#include "timing/Banks.h"
#include "timing/Profile.h"

#include <fstream>
#include <sstream>

namespace belay::timing::test {

/// The lines of a file of costs, those of files that it includes first.
inline std::string readCosts(const std::string &Folder,
                             const std::string &Name) {
  std::ifstream In(Folder + "/" + Name);
  std::string Text, Line;
  while (std::getline(In, Line))
    Text += Line.rfind("include,", 0) == 0 ? readCosts(Folder, Line.substr(8))
                                           : Line + "\n";
  return Text;
}

inline CostTable tableFor(const std::string &Folder, const std::string &Soc) {
  CostTable Table;
  std::string Wrong = Table.parse(readCosts(Folder, Soc + ".csv"));
  if (Wrong.empty())
    Wrong = Table.missing();
  if (!Wrong.empty()) {
    std::fprintf(stderr, "%s: %s\n", Soc.c_str(), Wrong.c_str());
    std::exit(2);
  }
  const targets::Soc *Facts = targets::findSoc(Soc);
  Table.ClockGHz = Facts->clockMHz / 1e3;
  Table.L2Bytes = Facts->l2;
  return Table;
}

/// Writes the stream of one core, as AscendC with queues issues it.
class Writer {
public:
  Writer(const CostTable &T, Stream &To) : T(T), Ub(T), To(To) {
    To.Sites.push_back({});
  }

  Step &add(StepKind Kind, Pipe On) {
    Step &S = To.Steps.emplace_back();
    S.Kind = Kind;
    S.On = On;
    return S;
  }
  void event(StepKind Kind, Pipe On, uint16_t Event) {
    add(Kind, On).Event = Event;
    To.NumEvents = std::max<uint32_t>(To.NumEvents, Event + 1u);
  }
  void load(uint64_t Address, uint32_t Bytes, uint32_t Bursts = 1,
            Space Into = Space::UB) {
    Step &S = add(StepKind::GlobalCopy, Pipe::MTE2);
    S.Address = Address;
    S.Bytes = Bytes;
    S.Bursts = Bursts;
    S.Pitch = Bytes / Bursts;
    S.To = Into;
    S.Bypass = Bypass;
  }
  void store(uint64_t Address, uint32_t Bytes) {
    Step &S = add(StepKind::GlobalCopy, Pipe::MTE3);
    S.Address = Address;
    S.Bytes = Bytes;
    S.From = Space::UB;
    S.To = Space::GM;
    S.Write = true;
  }
  /// An instruction on Bytes at each of these addresses, the last of which it
  /// writes.
  void vector(const char *Name, const char *Type, uint32_t Bytes,
              std::initializer_list<uint64_t> At) {
    Step &S = add(StepKind::Vector, Pipe::V);
    S.Row = T.rowOf(Name, Type);
    S.Work = (Bytes + 255) / 256;
    std::vector<BlockWalk> Walks;
    for (uint64_t Each : At) {
      BlockWalk W;
      W.Address = Each;
      W.LastBlocks = (Bytes - (S.Work - 1) * 256 + 31) / 32;
      Walks.push_back(W);
    }
    Walks.back().Write = true;
    Conflicts C =
        Ub.of(Walks.data(), static_cast<unsigned>(Walks.size()), S.Work);
    S.ReadConflicts = static_cast<uint16_t>(C.Reads);
    S.WriteConflicts = static_cast<uint16_t>(C.ReadWrites);
  }
  bool Bypass = false;

private:
  const CostTable &T;
  Banks Ub;
  Stream &To;
};

struct AddShape {
  unsigned Cores;
  uint32_t Tile; // elements of half
  unsigned Buffers = 1;
  bool Bypass = false; // reads leave L2 alone
  bool Interleaved =
      false; // x0, y0, z0, x1, ...: for tiles that avoid conflicts
};

/// z = x + y of 64 Mi halves, tile by tile through three queues.
inline Launch addKernel(const CostTable &T, const AddShape &K) {
  constexpr uint64_t Elements = uint64_t(1) << 26;
  Launch L;
  L.GlobalBytes = 3 * Elements * 2;
  L.Cores.resize(K.Cores);
  uint64_t PerCore = (Elements / K.Cores + 255) / 256 * 256;
  for (unsigned C = 0; C < K.Cores; ++C) {
    Writer W(T, L.Cores[C]);
    W.Bypass = K.Bypass;
    uint64_t Bytes = uint64_t(K.Tile) * 2;
    uint64_t End = std::min(Elements, (C + 1) * PerCore);
    unsigned N = 0;
    for (uint64_t At = C * PerCore; At < End; At += K.Tile, ++N) {
      auto Size =
          static_cast<uint32_t>(std::min<uint64_t>(K.Tile, End - At) * 2);
      unsigned B = N % K.Buffers;
      auto Buffer = [&](unsigned Tensor) {
        return (K.Interleaved ? B * 3 + Tensor : Tensor * K.Buffers + B) *
               Bytes;
      };
      // Filled and emptied, of each buffer.
      auto Event = [&](unsigned Tensor, unsigned Phase) {
        return static_cast<uint16_t>((Tensor * K.Buffers + B) * 2 + Phase);
      };
      for (unsigned In = 0; In < 2; ++In) {
        W.event(StepKind::WaitLast, Pipe::MTE2, Event(In, 1));
        W.load(In * Elements * 2 + At * 2, Size);
        W.event(StepKind::Set, Pipe::MTE2, Event(In, 0));
      }
      W.event(StepKind::WaitLast, Pipe::V, Event(0, 0));
      W.event(StepKind::WaitLast, Pipe::V, Event(1, 0));
      W.event(StepKind::WaitLast, Pipe::V, Event(2, 1));
      W.vector("Add", "b16", Size, {Buffer(0), Buffer(1), Buffer(2)});
      W.event(StepKind::Set, Pipe::V, Event(2, 0));
      W.event(StepKind::Set, Pipe::V, Event(0, 1));
      W.event(StepKind::Set, Pipe::V, Event(1, 1));
      W.event(StepKind::WaitLast, Pipe::MTE3, Event(2, 0));
      W.store(2 * Elements * 2 + At * 2, Size);
      W.event(StepKind::Set, Pipe::MTE3, Event(2, 1));
    }
  }
  return L;
}

} // namespace belay::timing::test

#endif // BELAY_TEST_TIMING_KERNELS_H
