//===- Banks.cpp - Accesses that a bank of the UB makes wait --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing/Banks.h"

#include <algorithm>
#include <cstring>

namespace belay::timing {

static constexpr unsigned MaxGroups = 32, MaxBanks = 8;

Banks::Banks(const CostTable &T) {
  auto Exact = [&](Parameter P, unsigned Most) {
    return std::min(static_cast<unsigned>(T.at(P).Middle), Most);
  };
  GroupBits = Exact(Parameter::BankGroupBits, 5);
  BankBits = Exact(Parameter::BankBits, 3);
  BankShift = Exact(Parameter::BankShift, 31);
  GroupReads = std::max(1u, Exact(Parameter::GroupReads, 8));
}

/// Reads of one repeat happen together, and so do its writes. A bank gives one
/// row in a cycle, a group as many as GroupReads. Several operands that read
/// the same row are taken to share it.
Conflicts Banks::ofRepeat(const BlockWalk *Operands, unsigned Num,
                          uint32_t Repeat, bool Last) const {
  uint8_t Reads[MaxGroups][MaxBanks] = {}, Writes[MaxGroups] = {};
  uint32_t Written[MaxGroups] = {}; // which banks of the group
  uint64_t Rows[32];
  unsigned NumRows = 0;
  for (unsigned N = 0; N < Num; ++N) {
    const BlockWalk &O = Operands[N];
    uint32_t Blocks = Last ? O.LastBlocks : O.Blocks;
    for (uint32_t B = 0; B < Blocks; ++B) {
      uint64_t At = O.Address + Repeat * O.RepeatStride + B * O.BlockStride;
      unsigned Group = groupOf(At), Bank = bankOf(At);
      if (O.Write) {
        ++Writes[Group];
        Written[Group] |= 1u << Bank;
        continue;
      }
      bool Known = std::find(Rows, Rows + NumRows, At >> 5) != Rows + NumRows;
      if (Known)
        continue;
      if (NumRows < 32)
        Rows[NumRows++] = At >> 5;
      ++Reads[Group][Bank];
    }
  }
  unsigned ReadCycles = 1, WriteCycles = 1;
  bool Both = false;
  for (unsigned G = 0; G < (1u << GroupBits); ++G) {
    unsigned Sum = 0;
    for (unsigned B = 0; B < (1u << BankBits); ++B) {
      Sum += Reads[G][B];
      ReadCycles = std::max<unsigned>(ReadCycles, Reads[G][B]);
      Both |= Reads[G][B] && (Written[G] >> B & 1);
    }
    ReadCycles = std::max(ReadCycles, (Sum + GroupReads - 1) / GroupReads);
    WriteCycles = std::max<unsigned>(WriteCycles, Writes[G]);
  }
  // A repeat that queues anyway has room for its writes: published times of an
  // Add with both conflicts are those of one with the first alone.
  unsigned Cycles = std::max(ReadCycles, WriteCycles);
  return {Cycles - 1, Both && Cycles == 1};
}

/// How many repeats from First on, at least one, each operand stays in the bank
/// where it is.
uint32_t Banks::repeatsInBank(const BlockWalk *Operands, unsigned Num,
                              uint32_t First, uint32_t End) const {
  uint64_t Size = uint64_t(1) << BankShift, Repeats = End - First;
  for (unsigned N = 0; N < Num; ++N) {
    const BlockWalk &O = Operands[N];
    uint64_t Begin = O.Address + First * O.RepeatStride;
    uint64_t Last = Begin + (O.Blocks - 1) * O.BlockStride;
    uint64_t Room = (Begin / Size + 1) * Size;
    if (Last >= Room)
      return 1;
    if (O.RepeatStride)
      Repeats = std::min(Repeats, (Room - 1 - Last) / O.RepeatStride + 1);
  }
  return static_cast<uint32_t>(Repeats);
}

Conflicts Banks::of(const BlockWalk *Operands, unsigned Num,
                    uint32_t Repeats) const {
  // Repeats are alike when all strides together are a multiple of the span of
  // the groups. That includes the banks where their bits stand beside those of
  // the group; where they stand above, it holds until an operand leaves its
  // bank.
  bool Beside = BankShift <= 5 + GroupBits;
  uint64_t Span = Beside ? uint64_t(1) << (BankShift + BankBits)
                         : uint64_t(32) << GroupBits;
  uint64_t Period = 1;
  for (unsigned N = 0; N < Num; ++N)
    while (Operands[N].RepeatStride * Period % Span)
      Period *= 2;
  Conflicts Sum;
  auto Add = [&](const Conflicts &C, uint32_t Times) {
    Sum.Reads += C.Reads * Times;
    Sum.ReadWrites += C.ReadWrites * Times;
  };
  bool IsEven = true;
  for (unsigned N = 0; N < Num; ++N)
    IsEven &= Operands[N].LastBlocks == Operands[N].Blocks;
  uint32_t Full = IsEven || !Repeats ? Repeats : Repeats - 1;
  for (uint32_t First = 0; First < Full;) {
    uint32_t Alike =
        Beside ? Full - First : repeatsInBank(Operands, Num, First, Full);
    auto Different = static_cast<uint32_t>(std::min<uint64_t>(Period, Alike));
    for (uint32_t R = 0; R < Different; ++R)
      Add(ofRepeat(Operands, Num, First + R, false),
          (Alike - R + Different - 1) / Different);
    First += Alike;
  }
  if (Full != Repeats)
    Add(ofRepeat(Operands, Num, Repeats - 1, true), 1);
  return Sum;
}

} // namespace belay::timing
