//===- Sort.h - What calls are given: sorting -------------------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two kinds of records are sorted, both by falling score. A pair takes 8 bytes:
// the score in the low ones, a 32-bit index in the high ones. A proposal (arch
// 2002) takes eight elements, the fifth of which is the score.
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_ABI_SORT_H
#define BELAY_ABI_SORT_H

#include "abi/Instructions.h"

namespace belay::sim {

/// Sort32 and Sort: scores and indices into sorted records.
struct RecordSort {
  const char *Name;
  void *Dst;
  const void *Src;
  const uint32_t *Index;
  void *Tmp;
  uint32_t TmpBytes;
  Elem T;
  int32_t Repeat;
  bool Full; // all repeats together
};

/// MrgSort and MrgSort4: up to four sorted queues into one.
struct RecordMerge {
  const char *Name;
  void *Dst;
  const void *Src[4];
  uint16_t Length[4];
  Elem T;
  bool Proposals; // asked for by name; MrgSort follows the architecture
  bool Listed;    // the form with a list of counts, which all have
  bool Suspend;   // stop as soon as one queue is used up
  uint16_t ValidBit;
  int32_t Repeat;
};

/// Whole tensors with a configuration (arch 3510).
struct ValueSort {
  void *Dst, *DstIndex;
  const void *Src, *SrcIndex;
  void *Tmp;
  uint32_t TmpBytes;
  Elem T, IndexT;
  uint32_t Count;
  bool Merge, Descend;
};

enum class ProposalOp : uint8_t { Concat, Extract };

} // namespace belay::sim

#endif // BELAY_ABI_SORT_H
