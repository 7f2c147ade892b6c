//===- Sort.cpp - Sort32, Sort, proposals ---------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Records.h"

#include <algorithm>
#include <numeric>

namespace belay::sim {

void sortRecords(RecordList &List, const RecordShape &S, size_t First,
                 size_t Count) {
  uint8_t *Begin = &List[First * S.Bytes];
  std::vector<float> Scores(Count);
  for (size_t N = 0; N < Count; ++N)
    Scores[N] = S.scoreOf(Begin + N * S.Bytes);
  std::vector<uint32_t> Order(Count);
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return goesBefore(Scores[A], Scores[B]) ||
           (!goesBefore(Scores[B], Scores[A]) && A < B);
  });
  RecordList Sorted(Count * S.Bytes);
  for (size_t N = 0; N < Count; ++N)
    std::memcpy(&Sorted[N * S.Bytes], Begin + size_t(Order[N]) * S.Bytes,
                S.Bytes);
  std::copy(Sorted.begin(), Sorted.end(), Begin);
}

namespace {

constexpr uint32_t ProposalsPerRepeat = 16;
constexpr uint32_t PairsPerRepeat = 32;

/// Scores and indices as pairs. The two bytes between a half and its index are
/// reserved, and zero here.
RecordList pairsOf(const RecordSort &C, size_t Count) {
  uint32_t Size = bytesOf(C.T);
  RecordList List(Count * 8);
  for (size_t N = 0; N < Count; ++N) {
    std::memcpy(&List[N * 8], at(C.Src, N * Size), Size);
    std::memcpy(&List[N * 8 + 4], &C.Index[N], 4);
  }
  return List;
}

/// Proposals with the index in their first 32 bits, which is x1 of a float and
/// x1 with y1 of a half. Extract looks for it there.
RecordList proposalsOf(const RecordSort &C, const RecordShape &S,
                       size_t Count) {
  RecordList List(Count * S.Bytes);
  std::memcpy(List.data(), C.Src, List.size());
  for (size_t N = 0; N < Count; ++N)
    std::memcpy(&List[N * S.Bytes], &C.Index[N], 4);
  return List;
}

void needProposals(Issue &I) {
  if (!I.core().arch().sortsProposals)
    unsupportedApi(I, "use Sort, MrgSort and Extract, which sort pairs here");
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_sort_records(const RecordSort *C) {
  Issue I(C->Name, on::sort_records, BELAY_PC);
  if (I.dropped())
    return;
  const auto &Arch = I.core().arch();
  bool Library = std::strcmp(C->Name, "Sort") == 0;
  checkScoreType(C->T, I);
  if (Arch.sortsProposals && !Library)
    unsupportedApi(I, "use Sort, or RpSort16 on proposals");
  checkRepeat(C->Repeat, I);
  if (!C->Repeat)
    return;
  RecordShape S = RecordShape::of(C->T, Arch);
  uint32_t Each = Arch.sortsProposals ? ProposalsPerRepeat : PairsPerRepeat;
  uint64_t Count = uint64_t(Each) * static_cast<uint32_t>(C->Repeat);
  uint64_t SrcBytes = Count * (Arch.sortsProposals ? S.Bytes : bytesOf(C->T));
  if (Arch.sortsProposals) {
    checkAligned(I, C->Src, BlockBytes, "proposals");
    I.read(firstScore(S, C->Src), scoresOf(S, Count), C->T, 1);
  } else {
    I.read(C->Src, {SrcBytes}, C->T);
  }
  I.read(C->Index, {Count * 4}, Elem::U32);
  if (C->Full && C->Repeat > 1 && C->TmpBytes) {
    // As much as GetSortTmpSize says: a merge needs one result's worth.
    uint64_t Need = Count * S.Bytes;
    I.write(C->Tmp, {Need}, C->T);
    checkApart(I, C->Dst, Count * S.Bytes, C->Tmp, Need);
  }
  I.write(C->Dst, {Count * S.Bytes}, C->T);
  checkApart(I, C->Dst, Count * S.Bytes, C->Src, SrcBytes);
  if (I.later(belay_sim_sort_records, C))
    return;
  RecordList List =
      Arch.sortsProposals ? proposalsOf(*C, S, Count) : pairsOf(*C, Count);
  uint64_t Together = C->Full ? Count : Each;
  for (uint64_t N = 0; N < Count; N += Together)
    sortRecords(List, S, N, Together);
  std::memcpy(C->Dst, List.data(), List.size());
}

void belay_sim_extract_records(void *Values, uint32_t *Indices,
                               const void *Records, Elem T, int32_t Repeat) {
  Issue I("Extract", on::extract_records, BELAY_PC);
  if (I.dropped())
    return;
  checkScoreType(T, I);
  checkRepeat(Repeat, I);
  if (!Repeat)
    return;
  const auto &Arch = I.core().arch();
  uint32_t Size = bytesOf(T);
  RecordShape S = RecordShape::of(T, Arch);
  uint32_t Each = Arch.sortsProposals ? ProposalsPerRepeat : PairsPerRepeat;
  uint64_t Count = uint64_t(Each) * static_cast<uint32_t>(Repeat);
  uint32_t IndexAt = Arch.sortsProposals ? 0 : 4;
  checkAligned(I, Records, BlockBytes, "records");
  I.read(firstScore(S, Records), {Size, Count, S.Bytes}, T, 1);
  I.read(offsetBy(Records, IndexAt), {4, Count, S.Bytes}, Elem::U32, 1);
  I.write(Values, {Count * Size}, T);
  I.write(Indices, {Count * 4}, Elem::U32);
  if (I.later(belay_sim_extract_records, Values, Indices, Records, T, Repeat))
    return;
  for (uint64_t N = 0; N < Count; ++N) {
    const uint8_t *Record = at(Records, N * S.Bytes);
    uint32_t Index;
    std::memcpy(&Index, Record + IndexAt, 4);
    std::memcpy(at(Values, N * Size), Record + S.Score, Size);
    Indices[N] = Index;
  }
}

void belay_sim_proposals(ProposalOp Op, const char *Name, void *Dst,
                         const void *Src, Elem T, int32_t Repeat,
                         int32_t Mode) {
  Issue I(Name, on::proposals, BELAY_PC);
  if (I.dropped())
    return;
  needProposals(I);
  checkScoreType(T, I);
  checkRepeat(Repeat, I);
  if (Mode < 0 || Mode > 5)
    fail("bad-repeat", I.pc(), "0 to 5 stand for x1, y1, x2, y2, score, label",
         "%s has modeNumber %d, but it must be in [0, 5]", Name, Mode);
  if (!Repeat)
    return;
  uint32_t Size = bytesOf(T), Field = static_cast<uint32_t>(Mode) * Size;
  RecordShape S = RecordShape::proposal(T);
  uint64_t Count = uint64_t(ProposalsPerRepeat) * static_cast<uint32_t>(Repeat);
  Extent Fields = {Size, Count, S.Bytes};
  bool Into = Op == ProposalOp::Concat;
  checkAligned(I, Into ? Dst : Src, BlockBytes, "proposals");
  if (Into) {
    I.read(Src, {Count * Size}, T);
    I.write(offsetBy(Dst, Field), Fields, T, 1);
  } else {
    I.read(offsetBy(Src, Field), Fields, T, 1);
    I.write(Dst, {Count * Size}, T);
  }
  if (I.later(belay_sim_proposals, Op, Name, Dst, Src, T, Repeat, Mode))
    return;
  for (uint64_t N = 0; N < Count; ++N) {
    uint64_t Inside = N * S.Bytes + Field, Outside = N * Size;
    std::memcpy(at(Dst, Into ? Inside : Outside),
                at(Src, Into ? Outside : Inside), Size);
  }
}

void belay_sim_sort_proposals(void *Dst, const void *Src, Elem T,
                              int32_t Repeat) {
  Issue I("RpSort16", on::sort_proposals, BELAY_PC);
  if (I.dropped())
    return;
  needProposals(I);
  checkScoreType(T, I);
  checkRepeat(Repeat, I);
  if (!Repeat)
    return;
  RecordShape S = RecordShape::proposal(T);
  uint64_t Count = uint64_t(ProposalsPerRepeat) * static_cast<uint32_t>(Repeat);
  checkAligned(I, Src, BlockBytes, "proposals");
  I.read(firstScore(S, Src), scoresOf(S, Count), T, 1);
  I.write(Dst, {Count * S.Bytes}, T);
  if (I.later(belay_sim_sort_proposals, Dst, Src, T, Repeat))
    return;
  RecordList List(Count * S.Bytes);
  std::memcpy(List.data(), Src, List.size());
  for (uint64_t N = 0; N < Count; N += ProposalsPerRepeat)
    sortRecords(List, S, N, ProposalsPerRepeat);
  std::memcpy(Dst, List.data(), List.size());
}
