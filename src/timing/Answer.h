//===- Answer.h - What a launch costs, as one process tells another -------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runner writes it into a memory file; whoever launched it reads it after
// the runner's end, and believes nothing in it: the kernel could have written
// there, too.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_ANSWER_H
#define BELAY_TIMING_ANSWER_H

#include "timing/Costs.h"
#include "timing/Step.h"

namespace belay::timing {

/// What a cycle of the longest chain of instructions went to.
#define BELAY_CAUSES(CAUSE)                                                    \
  CAUSE(Launch, "launch head", "launch head")                                  \
  CAUSE(Bytes, "bytes of global memory", "bytes")                              \
  CAUSE(Latency, "latency of copies", "bytes")                                 \
  CAUSE(CopyIssue, "issue of copies", "bytes")                                 \
  CAUSE(Vector, "vector instructions", "vector")                               \
  CAUSE(VectorFixed, "start of vector instructions", "vector")                 \
  CAUSE(Conflict, "bank conflicts", "vector")                                  \
  CAUSE(Cube, "cube", "cube")                                                  \
  CAUSE(LocalCopy, "copies inside the core", "cube")                           \
  CAUSE(Scalar, "scalar unit", "scalar")                                       \
  CAUSE(HandOver, "flags and queues", "sync")                                  \
  CAUSE(Drain, "barriers", "sync")                                             \
  CAUSE(OtherCores, "other cores", "sync")

enum class Cause : uint8_t {
#define BELAY_CAUSE(Name, Text, Bound) Name,
  BELAY_CAUSES(BELAY_CAUSE)
#undef BELAY_CAUSE
};
inline constexpr unsigned NumCauses = 0
#define BELAY_CAUSE(Name, Text, Bound) +1
    BELAY_CAUSES(BELAY_CAUSE)
#undef BELAY_CAUSE
    ;
const char *nameOf(Cause C);
/// What a kernel that spends most on it is bound by.
const char *boundOf(Cause C);

/// An instruction of the source, with its share of the longest chain, and its
/// totals over all cores.
struct SiteAnswer {
  uint64_t Frame;
  char Name[40];
  Pipe On;
  CoreKind Kind;
  double Cycles[NumCauses];
  /// Of these, copies that waited for their buffer.
  double Exposed;
  uint64_t Count, Bytes, Bursts, Repeats;
  uint64_t ReadConflicts, WriteConflicts;

  double total() const {
    double Sum = 0;
    for (double Each : Cycles)
      Sum += Each;
    return Sum;
  }
};

inline constexpr uint32_t AnswerMagic = 0x454d4954, MaxSites = 256;

struct Answer {
  uint32_t Magic;
  bool Known;
  char Why[160];     // nothing is known
  uint32_t NumDraws; // that were asked for
  double Cycles[timing::NumDraws];
  /// Of the middle draw.
  double OnChain[NumCauses];
  double Guess;          // cycles of the chain that rest on guesses
  double Busy[NumPipes]; // of the cycles, on average over cores that use it
  uint32_t NumCores;
  uint64_t NumSteps;
  uint64_t Read, Written, LeastRead, LeastWritten, DramBytes;
  /// Cycles below which no order of the same work could come: each resource
  /// busy all the time.
  double LeastBytes, LeastVector, LeastCube;
  uint32_t NumSites;
  SiteAnswer Sites[MaxSites]; // the most expensive first
};

/// Leaves an answer that can be read without harm, Known or not.
void clean(Answer &A);

} // namespace belay::timing

#endif // BELAY_TIMING_ANSWER_H
