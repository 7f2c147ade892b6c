//===- BlockTranspose.cpp - Sixteen blocks, element by element ------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TransDataTo5HD, and the instruction below it. Sixteen addresses of source
// blocks are the rows of a matrix, sixteen of destination blocks its columns.
//
//===----------------------------------------------------------------------===//

#include "abi/Transpose.h"
#include "model/instructions/Elementwise.h"
#include "model/instructions/ListChecks.h"

#include <cstring>
#include <optional>

namespace belay::sim {

namespace {

constexpr unsigned Rows = 16;

/// Blocks a list's repeat R lies further. A single repeat is moved by the
/// stride too, as the documentation warns.
uint64_t moved(const BlockTranspose &T, uint32_t R, uint16_t Stride) {
  return uint64_t(T.Repeat == 1 ? 1 : R) * Stride * BlockBytes;
}

/// The distance between every other block from \p First on, if it is the same
/// for all of them.
std::optional<uint64_t> everyOther(const uint64_t (&List)[Rows],
                                   unsigned First) {
  uint64_t Gap = List[First + 2] - List[First];
  for (unsigned N = First; N + 2 < Rows; N += 2)
    if (List[N + 2] - List[N] != Gap)
      return std::nullopt;
  return Gap < 1u << 20 ? std::optional(Gap) : std::nullopt;
}

/// Declares the blocks of a list: as few even runs as they form, or what lies
/// between the first and the last if they are too scattered for the record.
void declare(Issue &I, const BlockTranspose &T, const uint64_t (&List)[Rows],
             uint16_t Stride, bool Write) {
  constexpr unsigned MaxRuns = 3;
  Extent Runs[Rows];
  uint64_t Starts[Rows];
  unsigned NumRuns = 0;
  int64_t Step = int64_t(Stride) * BlockBytes;
  for (unsigned N = 0; N < Rows;) {
    uint64_t Gap = N + 1 < Rows ? List[N + 1] - List[N] : 0;
    unsigned End = N + 1;
    while (End < Rows && List[End] - List[End - 1] == Gap && Gap < 1u << 20)
      ++End;
    Starts[NumRuns] = List[N];
    Runs[NumRuns++] = {BlockBytes, End - N, static_cast<int64_t>(Gap), T.Repeat,
                       Step};
    N = End;
  }
  // Columns of words fill two blocks each: two runs that are interleaved.
  std::optional<uint64_t> Even = everyOther(List, 0), Odd = everyOther(List, 1);
  if (NumRuns > MaxRuns && Even && Odd) {
    Starts[0] = List[0];
    Starts[1] = List[1];
    Runs[0] = {BlockBytes, Rows / 2, static_cast<int64_t>(*Even), T.Repeat,
               Step};
    Runs[1] = {BlockBytes, Rows / 2, static_cast<int64_t>(*Odd), T.Repeat,
               Step};
    NumRuns = 2;
  } else if (NumRuns > MaxRuns) {
    auto [First, Last] = std::minmax_element(List, List + Rows);
    Starts[0] = *First;
    // From 0 to the last block that there is, the sum would be nothing.
    Runs[0] = {std::min(*Last - *First, TooMuch) + BlockBytes, 1, 0, T.Repeat,
               Step};
    NumRuns = 1;
  }
  uint64_t Shift = moved(T, 0, Stride);
  for (unsigned N = 0; N < NumRuns; ++N) {
    auto *Address = reinterpret_cast<uint8_t *>(Starts[N] + Shift);
    // Floats are often moved as halves: what moves is bits.
    if (Write)
      I.write(Address, Runs[N], rawOf(T.T));
    else
      I.read(Address, Runs[N], rawOf(T.T));
  }
}

void checkBlocks(Issue &I, const uint64_t (&List)[Rows], const char *What) {
  for (uint64_t Address : List)
    checkAligned(I, reinterpret_cast<const void *>(Address), BlockBytes, What);
}

/// One repeat. All is read before anything is written: the lists may be the
/// same.
template <typename E>
void transposeOnce(const BlockTranspose &T, uint64_t DstMove, uint64_t SrcMove,
                   Issue &I) {
  constexpr unsigned PerBlock = BlockBytes / sizeof(E);
  constexpr unsigned Columns = std::min(PerBlock, 16u);
  unsigned SrcHalf = sizeof(E) == 1 && T.SrcHighHalf ? 16 : 0;
  unsigned DstHalf = sizeof(E) == 1 && T.DstHighHalf ? 16 : 0;
  E Matrix[Columns][Rows];
  for (unsigned R = 0; R < Rows; ++R) {
    const auto *Block = reinterpret_cast<const E *>(T.Src[R] + SrcMove);
    for (unsigned C = 0; C < Columns; ++C)
      Matrix[C][R] = Block[SrcHalf + C];
  }
  // A column of sixteen fills one block, half of one, or two.
  constexpr unsigned BlocksPerColumn = Rows / Columns;
  constexpr unsigned Part = Rows / BlocksPerColumn;
  for (unsigned C = 0; C < Columns; ++C)
    for (unsigned B = 0; B < BlocksPerColumn; ++B) {
      auto *Block =
          reinterpret_cast<E *>(T.Dst[C * BlocksPerColumn + B] + DstMove);
      std::memcpy(Block + DstHalf, &Matrix[C][B * Part], Part * sizeof(E));
      for (unsigned K = 0; I.watched() && K < Part; ++K) {
        const auto *Row =
            reinterpret_cast<const E *>(T.Src[B * Part + K] + SrcMove);
        I.origin(Block + DstHalf + K, sizeof(E), Row + SrcHalf + C, sizeof(E));
      }
    }
}

template <typename E> void transposeAll(const BlockTranspose &T, Issue &I) {
  for (uint32_t R = 0; R < T.Repeat; ++R)
    transposeOnce<E>(T, moved(T, R, T.DstRepeatStride),
                     moved(T, R, T.SrcRepeatStride), I);
}

/// Checks the call; false if there is nothing to do.
bool check(const BlockTranspose &T, Issue &I) {
  bool Has = isOneOf(T.T, {Elem::S8, Elem::U8, Elem::S16, Elem::U16, Elem::F16,
                           Elem::S32, Elem::U32, Elem::F32}) ||
             (T.T == Elem::BF16 && I.core().arch().transposesAnyType);
  if (!Has)
    I.unsupported(T.T);
  if (!T.Repeat)
    return false;
  checkBlocks(I, T.Src, "list of sources");
  checkBlocks(I, T.Dst, "list of destinations");
  declare(I, T, T.Src, T.SrcRepeatStride, /*Write=*/false);
  declare(I, T, T.Dst, T.DstRepeatStride, /*Write=*/true);
  return true;
}

void run(const BlockTranspose &T, Issue &I) {
  switch (bytesOf(T.T)) {
  case 1:
    return transposeAll<uint8_t>(T, I);
  case 2:
    return transposeAll<uint16_t>(T, I);
  default:
    return transposeAll<uint32_t>(T, I);
  }
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_transpose_blocks(const BlockTranspose *T) {
  Issue I(T->Name, on::transpose_blocks, BELAY_PC);
  if (I.dropped())
    return;
  if (!check(*T, I) || I.later(belay_sim_transpose_blocks, T))
    return;
  run(*T, I);
}

void belay_sim_transpose_listed(const BlockTranspose *T, const uint64_t *Dst,
                                const uint64_t *Src) {
  Issue I(T->Name, on::transpose_listed, BELAY_PC);
  if (I.dropped())
    return;
  I.read(Dst, {sizeof(T->Dst)}, Elem::U64);
  I.read(Src, {sizeof(T->Src)}, Elem::U64);
  I.drain(); // the addresses are data
  BlockTranspose Copy = *T;
  // Not as words: the lists may lie anywhere.
  std::memcpy(Copy.Dst, static_cast<const void *>(Dst), sizeof(Copy.Dst));
  std::memcpy(Copy.Src, static_cast<const void *>(Src), sizeof(Copy.Src));
  if (check(Copy, I))
    run(Copy, I);
}

void belay_sim_transpose_registers(const BlockTranspose *T, uint32_t Dst,
                                   uint32_t Src) {
  Issue I(T->Name, on::transpose_registers, BELAY_PC);
  if (I.dropped())
    return;
  BlockTranspose Copy = *T;
  const auto &Registers = I.core().Regs.Lists.Addresses;
  std::memcpy(Copy.Dst, Registers[Dst & 6], sizeof(Copy.Dst));
  std::memcpy(Copy.Src, Registers[Src & 6], sizeof(Copy.Src));
  if (!check(Copy, I) || I.later(belay_sim_transpose_registers, T, Dst, Src))
    return;
  run(Copy, I);
}

void belay_sim_set_addresses(uint32_t Register, const uint64_t *Addresses) {
  auto &To = Core::current().Regs.Lists.Addresses[Register & 7];
  std::memcpy(To, Addresses, sizeof(To));
}
