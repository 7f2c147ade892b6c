//===- Banks.h - Accesses that a bank of the UB makes wait ------*- C++ -*-===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BELAY_TIMING_BANKS_H
#define BELAY_TIMING_BANKS_H

#include "timing/Costs.h"

namespace belay::timing {

/// The blocks of 32 bytes that one operand touches: Repeats x Blocks, with
/// strides in bytes.
struct BlockWalk {
  uint64_t Address = 0; // in the UB
  uint32_t Blocks = 8;
  uint64_t BlockStride = 32, RepeatStride = 256;
  uint32_t LastBlocks = 8; // of the last repeat
  bool Write = false;

  bool operator==(const BlockWalk &) const = default;
};

/// What conflicts add to one instruction.
struct Conflicts {
  uint32_t Reads = 0;      // cycles: reads, and writes, that queue up
  uint32_t ReadWrites = 0; // repeats that read and write one bank
};

/// A bank is one of BankBits beside 2^GroupBits groups; a group gives some rows
/// to reads and takes one write in a cycle.
class Banks {
public:
  explicit Banks(const CostTable &T);
  Conflicts of(const BlockWalk *Operands, unsigned Num, uint32_t Repeats) const;

private:
  Conflicts ofRepeat(const BlockWalk *Operands, unsigned Num, uint32_t Repeat,
                     bool Last) const;
  uint32_t repeatsInBank(const BlockWalk *Operands, unsigned Num,
                         uint32_t First, uint32_t End) const;
  unsigned groupOf(uint64_t Address) const {
    return (Address >> 5) & ((1u << GroupBits) - 1);
  }
  unsigned bankOf(uint64_t Address) const {
    return (Address >> BankShift) & ((1u << BankBits) - 1);
  }
  unsigned GroupBits, BankShift, BankBits, GroupReads;
};

} // namespace belay::timing

#endif // BELAY_TIMING_BANKS_H
