//===- Replay.h - The streams of all cores against a clock ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipes are queues that take one instruction after the other. The scalar unit
// issues in program order; an instruction starts when it is issued, its pipe is
// free, and what its pipe waits for has come. Cores are independent but for
// flags between them and the bandwidth of global memory, which goes to copies
// in the order of their start.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_REPLAY_H
#define BELAY_TIMING_REPLAY_H

#include "timing/Costs.h"
#include "timing/Footprint.h"

#include <functional>

namespace belay::timing {

/// An instruction as it was issued (by the scalar unit) or executed (by its
/// pipe), for whoever asks what something waited for.
struct NodeRef {
  uint32_t Core : 31 = NoCore;
  bool Issue : 1 = false;
  uint32_t Index = 0;

  static constexpr uint32_t NoCore = ~0u >> 1;
  NodeRef() = default;
  NodeRef(uint32_t Core, uint32_t Index, bool Issue)
      : Core(Core), Issue(Issue), Index(Index) {}
  bool known() const { return Core != NoCore; }
};

/// When a step was issued and executed, and what it started after.
struct Node {
  double Issued = 0, Start = 0, End = 0;
  NodeRef After;
};

/// Whether a cross-core flag that one core sets in a mode is one that the other
/// waits for.
using FeedsFn = std::function<bool(uint32_t From, uint32_t To, uint8_t Mode)>;

struct Launch {
  std::vector<Stream> Cores;
  uint64_t GlobalBytes = 0;
  FeedsFn Feeds;
};

struct ReplayResult {
  bool Known = false; // false: some core waits for ever
  double Cycles = 0, Head = 0;
  NodeRef Last;                   // what ends last
  double Busy[NumPipes] = {};     // cycles, over all cores
  uint32_t Active[NumPipes] = {}; // cores that use the pipe at all
  uint64_t DramBytes = 0, L2Bytes = 0;
  std::vector<std::vector<Node>> Nodes; // if asked for
};

/// Bytes of each copy that were in L2, by core and in program order. The first
/// replay of a launch finds them, the others take them over.
using L2Hits = std::vector<std::vector<uint32_t>>;

ReplayResult replay(const Launch &L, const Footprint &F, const Costs &C,
                    bool KeepNodes, L2Hits *Hits = nullptr);

/// Cycles that a step takes by itself, and how they are made up.
struct VectorCycles {
  double Fixed, Slope, Conflict;
  double total() const { return Fixed + Slope + Conflict; }
};
VectorCycles vectorCycles(const Step &S, const Costs &C);
double cubeCycles(const Step &S, const Costs &C);
/// What a copy waits beside the transfer, and the cycles that issuing it takes.
double copyLatency(const Step &S, const Costs &C);
double copyIssue(const Step &S, const Costs &C);
double localRate(const Step &S, const Costs &C);

} // namespace belay::timing

#endif // BELAY_TIMING_REPLAY_H
