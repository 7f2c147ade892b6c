//===- Records.h - What sorting moves around --------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_MODEL_INSTRUCTIONS_RECORDS_H
#define BELAY_MODEL_INSTRUCTIONS_RECORDS_H

#include "abi/Sort.h"
#include "model/instructions/Elementwise.h"
#include "model/instructions/ListChecks.h"

#include <cstring>
#include <vector>

namespace belay::sim {

/// The layout of a record: how many bytes, and where the score lies in them.
struct RecordShape {
  uint32_t Bytes, Score;
  Elem T;

  static RecordShape pair(Elem T) { return {8, 0, T}; }
  static RecordShape proposal(Elem T) {
    return {8 * bytesOf(T), 4 * bytesOf(T), T};
  }
  /// What Sort, MrgSort and Extract use on an architecture.
  static RecordShape of(Elem T, const targets::Arch &Arch) {
    return Arch.sortsProposals ? proposal(T) : pair(T);
  }

  float scoreOf(const uint8_t *Record) const {
    if (T == Elem::F32) {
      float F;
      std::memcpy(&F, Record + Score, sizeof(F));
      return F;
    }
    F16 H;
    std::memcpy(&H, Record + Score, sizeof(H));
    return static_cast<float>(H);
  }
};

/// Falling scores, NaN first. Equals stay in the order they came in.
inline bool goesBefore(float A, float B) { return A != A ? B == B : A > B; }

/// What sorting reads of Count records: pairs as a whole, proposals by their
/// score. Their other fields often hold nothing, and travel along.
inline Extent scoresOf(const RecordShape &S, uint64_t Count) {
  if (S.Score == 0)
    return {product(Count, S.Bytes)};
  return {bytesOf(S.T), Count, S.Bytes};
}
inline const uint8_t *firstScore(const RecordShape &S, const void *Records) {
  return offsetBy(Records, S.Score);
}

/// Records side by side, in a place of their own.
using RecordList = std::vector<uint8_t>;

/// Sorts Count records that start at First.
void sortRecords(RecordList &List, const RecordShape &S, size_t First,
                 size_t Count);

/// Scores are half or float in all of these.
inline void checkScoreType(Elem T, Issue &I) {
  if (T != Elem::F16 && T != Elem::F32)
    I.unsupported(T);
}

inline void checkRepeat(int32_t Repeat, Issue &I) {
  if (Repeat < 0 || Repeat > 255)
    fail("bad-repeat", I.pc(), "sort in several calls and merge the results",
         "%s has repeatTime %d, but it must be in [0, 255]", I.name(), Repeat);
}

} // namespace belay::sim

#endif // BELAY_MODEL_INSTRUCTIONS_RECORDS_H
