//===- MergeSort.cpp - Up to four sorted queues into one ------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Records.h"

#include <bit>

namespace belay::sim {

namespace {

struct Queues {
  const uint8_t *Next[4];
  uint32_t Left[4];
  uint32_t Taken[4] = {};
  unsigned Count;
};

/// The queue whose first record goes before all others; of equals the first.
int pick(const Queues &Q, const RecordShape &S) {
  int Best = -1;
  float BestScore = 0;
  for (unsigned N = 0; N < Q.Count; ++N) {
    if (!Q.Left[N])
      continue;
    float Score = S.scoreOf(Q.Next[N]);
    if (Best < 0 || goesBefore(Score, BestScore)) {
      Best = static_cast<int>(N);
      BestScore = Score;
    }
  }
  return Best;
}

/// Appends the merged records; stops early if asked to. A queue that was empty
/// from the start stops nothing.
void merge(Queues &Q, const RecordShape &S, bool Suspend, RecordList &Out) {
  for (int N = pick(Q, S); N >= 0; N = pick(Q, S)) {
    Out.insert(Out.end(), Q.Next[N], Q.Next[N] + S.Bytes);
    Q.Next[N] += S.Bytes;
    ++Q.Taken[N];
    if (--Q.Left[N] == 0 && Suspend)
      return;
  }
}

/// repeatTimes counts only for four equal queues in a row that run dry.
uint32_t repeatsOf(const RecordMerge &M, const RecordShape &S) {
  if (M.Repeat <= 1)
    return static_cast<uint32_t>(M.Repeat);
  bool Counts = M.ValidBit == 15 && !M.Suspend;
  for (unsigned N = 1; N < 4; ++N) {
    Counts &= M.Length[N] == M.Length[0] &&
              M.Src[N] == offsetBy(M.Src[N - 1], product(M.Length[0], S.Bytes));
  }
  return Counts ? static_cast<uint32_t>(M.Repeat) : 1;
}

RecordShape shapeOf(const RecordMerge &M, const targets::Arch &Arch, Issue &I) {
  if (M.Proposals && !Arch.sortsProposals)
    unsupportedApi(I, "use MrgSort, which merges pairs here");
  if (!M.Proposals && !M.Listed && Arch.sortsProposals)
    unsupportedApi(I, "use MrgSort4, or MrgSort with a list of counts");
  return RecordShape::of(M.T, Arch);
}

void checkCall(const RecordMerge &M, Issue &I) {
  checkScoreType(M.T, I);
  checkRepeat(M.Repeat, I);
  // The documentation has no single queue; kernels in use copy with one.
  if (M.ValidBit != 1 && M.ValidBit != 3 && M.ValidBit != 7 && M.ValidBit != 15)
    fail("bad-repeat", I.pc(), "set the bits of the first 2, 3 or 4 queues",
         "%s has validBit %u, but it must be 3, 7 or 15", I.name(), M.ValidBit);
  for (unsigned N = 0; M.ValidBit >> N; ++N)
    if (M.Length[N] > 4095)
      fail("bad-repeat", I.pc(), "merge shorter queues, in more steps",
           "%s has %u records in queue %u, but a queue has at most 4095",
           I.name(), M.Length[N], N + 1);
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_merge_records(const RecordMerge *M) {
  Issue I(M->Name, on::merge_records, BELAY_PC);
  if (I.dropped())
    return;
  RecordShape S = shapeOf(*M, I.core().arch(), I);
  checkCall(*M, I);
  uint32_t Repeats = repeatsOf(*M, S);
  if (!Repeats)
    return;
  bool Pairs = S.Bytes == 8 && S.Score == 0;
  uint32_t SrcAlignment = Pairs ? 8 : S.Bytes;
  uint32_t DstAlignment = Pairs ? BlockBytes : S.Bytes;
  auto Count = static_cast<unsigned>(std::bit_width(M->ValidBit));
  uint32_t Stride = M->Length[0] * S.Bytes * 4;
  for (unsigned N = 0; N < Count; ++N) {
    checkAligned(I, M->Src[N], SrcAlignment, "queue");
    Extent Read = scoresOf(S, M->Length[N]);
    Read.Repeats = Repeats;
    Read.RepeatStride = Stride;
    I.read(firstScore(S, M->Src[N]), Read, M->T, 1);
  }
  I.operandsFromData();
  if (I.later(belay_sim_merge_records, M))
    return;
  RecordList Out;
  Queues Q = {};
  for (uint32_t R = 0; R < Repeats; ++R) {
    Q = {};
    Q.Count = Count;
    for (unsigned N = 0; N < Count; ++N) {
      Q.Next[N] = at(M->Src[N], uint64_t(R) * Stride);
      Q.Left[N] = M->Length[N];
    }
    merge(Q, S, M->Suspend, Out);
  }
  size_t Bytes = Out.size();
  I.write(M->Dst, {Bytes}, M->T, DstAlignment);
  for (unsigned N = 0; N < Count; ++N)
    if (M->Length[N])
      checkApart(I, M->Dst, Bytes, M->Src[N],
                 uint64_t(Repeats - 1) * Stride +
                     uint64_t(M->Length[N]) * S.Bytes);
  if (Bytes)
    std::memcpy(M->Dst, Out.data(), Bytes);
  for (unsigned N = 0; N < 4; ++N)
    I.core().Regs.Lists.Merged[N] = static_cast<uint16_t>(Q.Taken[N]);
}

uint16_t belay_sim_merged(uint32_t N) {
  Issue I("GetMrgSortResult", Pipe::S, BELAY_PC, InstructionKind::ScalarAccess);
  I.drain();
  return I.core().Regs.Lists.Merged[N % 4];
}
