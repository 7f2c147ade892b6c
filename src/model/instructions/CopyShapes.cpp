//===- CopyShapes.cpp - Copies of matrices and slices ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Vector.h"
#include "model/instructions/Atomic.h"
#include "model/instructions/Dtypes.h"
#include "model/instructions/Lanes.h"

#include <cstring>
#include <vector>

namespace belay::sim {

namespace {

constexpr uint32_t FractalColumns = 16;
constexpr uint32_t MaxDims = 8;

void checkRange(const Issue &I, const char *What, uint64_t Value, uint64_t Low,
                uint64_t High) {
  if (Value < Low || Value > High)
    fail("bad-repeat", I.pc(), "see the API's limits, and copy in parts",
         "%s has a %s of %llu; it lies between %llu and %llu", I.name(), What,
         static_cast<unsigned long long>(Value),
         static_cast<unsigned long long>(Low),
         static_cast<unsigned long long>(High));
}

/// The pieces that a slice cuts out of its dimension: where each starts, and
/// how many elements it has.
struct Pieces {
  uint64_t Count, Length, Step;
};

Pieces piecesOf(const Issue &I, const Slice &S, uint64_t Length) {
  uint64_t Range = uint64_t(S.End) - S.Start + 1;
  uint64_t Step = Length + S.Stride;
  if (S.End < S.Start || Length == 0 || (Range + S.Stride) % Step)
    fail(
        "bad-repeat", I.pc(),
        "endIndex - startIndex + 1 is a whole number of pieces, with a stride "
        "between them",
        "%s has a slice from %u to %u, which pieces of %llu with gaps of %u do "
        "not fill",
        I.name(), S.Start, S.End, static_cast<unsigned long long>(Length),
        S.Stride);
  return {(Range + S.Stride) / Step, Length, Step};
}

/// Offsets, in elements, of all bursts of a sliced tensor, in order.
std::vector<uint64_t> burstsOf(const Issue &I, const Slice *Slices,
                               uint32_t Dims, uint64_t Length) {
  // Blocks of the largest local memory.
  constexpr uint64_t MaxPieces = LocalMemories::SlotBytes / BlockBytes;
  std::vector<uint64_t> Offsets = {0};
  std::vector<uint64_t> Pitch(Dims, 1);
  for (uint32_t D = 1; D < Dims; ++D)
    Pitch[D] = product(Pitch[D - 1], Slices[D - 1].Shape);
  for (uint32_t D = Dims; D-- > 0;) {
    Pieces P = piecesOf(I, Slices[D], D ? 1 : Length);
    if (product(Offsets.size(), P.Count) > MaxPieces)
      fail("local-out-of-bounds", I.pc(), "copy fewer pieces at once",
           "%s has slices of more pieces than local memory has blocks",
           I.name());
    std::vector<uint64_t> Next;
    for (uint64_t Base : Offsets)
      for (uint64_t N = 0; N < P.Count; ++N)
        Next.push_back(std::min(
            Base + product(Slices[D].Start + N * P.Step, Pitch[D]), TooMuch));
    Offsets = std::move(Next);
  }
  return Offsets;
}

/// A tensor copied with pads: where element Index of each dimension comes from,
/// or -1 for a constant pad.
int64_t sourceIndex(const MultiCopy &C, uint32_t D, uint64_t Index) {
  auto I = static_cast<int64_t>(Index) - C.Left[D];
  if (I >= 0 && I < C.Size[D])
    return I;
  return !C.Nearest ? -1 : I < 0 ? 0 : int64_t(C.Size[D]) - 1;
}

} // namespace
} // namespace belay::sim

using namespace belay::sim;

void belay_sim_copy_nz2nd(const NzToNd *C) {
  Issue I("DataCopy", on::copy_nz2nd, BELAY_PC, InstructionKind::Copy);
  checkRange(I, "ndNum", C->Matrices, 0, 4095);
  if (!C->Matrices)
    return;
  uint32_t Size = bytesOf(C->Type);
  checkRange(I, "nValue", C->Rows, 1, 8192);
  checkRange(I, "dValue", C->Columns, 1, 8192);
  checkRange(I, "srcNStride",
             C->SrcColumnStride / (uint64_t(FractalColumns) * Size), 0, 4096);
  if (C->Columns % FractalColumns)
    fail("bad-repeat", I.pc(), "round dValue up to 16",
         "DataCopy from NZ to ND has a dValue of %u, which is no multiple of "
         "16",
         C->Columns);
  uint64_t RowBytes = uint64_t(FractalColumns) * Size;
  uint32_t Fractals = C->Columns / FractalColumns;
  auto *Dst = static_cast<uint8_t *>(C->Dst);
  const auto *Src = static_cast<const uint8_t *>(C->Src);
  I.read(Src,
         {RowBytes * C->Rows, Fractals,
          static_cast<int64_t>(C->SrcColumnStride), C->Matrices,
          static_cast<int64_t>(C->SrcMatrixStride)},
         C->Type);
  I.write(Dst,
          {uint64_t(C->Columns) * Size, C->Rows,
           static_cast<int64_t>(C->DstRowStride), C->Matrices,
           static_cast<int64_t>(C->DstMatrixStride)},
          C->Type);
  if (I.dropped() || I.later(belay_sim_copy_nz2nd, C))
    return;
  Store Put(I);
  for (uint32_t M = 0; M < C->Matrices; ++M)
    for (uint32_t F = 0; F < Fractals; ++F)
      for (uint32_t R = 0; R < C->Rows; ++R)
        Put(Dst + M * C->DstMatrixStride + R * C->DstRowStride + F * RowBytes,
            Src + M * C->SrcMatrixStride + F * C->SrcColumnStride +
                R * RowBytes,
            RowBytes);
}

void belay_sim_copy_slices(void *Dst, const void *Src, Elem T,
                           const Slice *DstSlices, const Slice *SrcSlices,
                           uint32_t Dims) {
  bool ToLocal = Core::current().Memories.spaceOf(Dst) != Space::Host;
  Issue I("DataCopy",
          ToLocal ? pipeBy(on::copy_slices, Space::GM, Space::UB)
                  : pipeBy(on::copy_slices, Space::UB, Space::GM),
          BELAY_PC, InstructionKind::Copy);
  checkRange(I, "dimValue", Dims, 1, MaxDims);
  I.drain();
  for (uint32_t D = 0; D < Dims; ++D)
    if (SrcSlices[D].BurstBlocks != DstSlices[D].BurstBlocks ||
        (D && SrcSlices[D].BurstBlocks != 1))
      fail("bad-repeat", I.pc(),
           "the same burstLen on both sides, and 1 above the first dimension",
           "DataCopy has slices with a burstLen of %u and %u in dimension %u",
           SrcSlices[D].BurstBlocks, DstSlices[D].BurstBlocks, D);
  uint32_t Size = bytesOf(T);
  uint64_t Bytes = uint64_t(SrcSlices[0].BurstBlocks) * BlockBytes;
  auto From = burstsOf(I, SrcSlices, Dims, Bytes / Size);
  auto To = burstsOf(I, DstSlices, Dims, Bytes / Size);
  if (From.size() != To.size())
    fail("bad-repeat", I.pc(), "cut both sides into as many pieces",
         "DataCopy has slices of %zu pieces on the one side and %zu on the "
         "other",
         From.size(), To.size());
  for (size_t N = 0; N < From.size(); ++N) {
    const uint8_t *A = offsetBy(Src, product(From[N], Size));
    uint8_t *B = offsetBy(Dst, product(To[N], Size));
    I.read(A, {Bytes}, T);
    I.write(B, {Bytes}, T);
    if (I.dropped())
      return;
    Store Put(I);
    Put(B, A, Bytes);
  }
}

void belay_sim_copy_multi(const MultiCopy *C) {
  Issue I("DataCopy", on::copy_multi, BELAY_PC, InstructionKind::Copy);
  requireFact(I, I.core().arch().hasMultiCopy);
  checkRange(I, "number of loops", C->Dims, 0, std::size(C->Size));
  uint32_t Size = bytesOf(C->Type);
  uint64_t Total = 1, SrcSpan = 1, DstSpan = 1;
  for (uint32_t D = 0; D < C->Dims; ++D) {
    checkRange(I, "loopSize", C->Size[D], 1, (1u << 20) - 1);
    checkRange(I, "loopDstStride", C->DstStride[D], 0, (1u << 20) - 1);
    checkRange(I, "loopSrcStride", C->SrcStride[D], 0, (uint64_t(1) << 40) - 1);
    uint64_t Padded = uint64_t(C->Left[D]) + C->Size[D] + C->Right[D];
    Total = product(Total, Padded);
    SrcSpan += product(C->Size[D] - 1, C->SrcStride[D]);
    DstSpan += product(Padded - 1, C->DstStride[D]);
  }
  I.checkWork(product(Total, Size), product(DstSpan, Size));
  I.read(C->Src, {product(SrcSpan, Size)}, C->Type);
  I.write(C->Dst, {product(DstSpan, Size)}, C->Type);
  if (I.dropped() || I.later(belay_sim_copy_multi, C))
    return;
  auto *Dst = static_cast<uint8_t *>(C->Dst);
  const auto *Src = static_cast<const uint8_t *>(C->Src);
  for (uint64_t N = 0; N < Total; ++N) {
    uint64_t Rest = N, To = 0, From = 0;
    bool Pad = false;
    for (uint32_t D = 0; D < C->Dims; ++D) {
      uint64_t Padded = uint64_t(C->Left[D]) + C->Size[D] + C->Right[D];
      uint64_t Index = Rest % Padded;
      Rest /= Padded;
      int64_t Source = sourceIndex(*C, D, Index);
      Pad |= Source < 0;
      From += static_cast<uint64_t>(Source) * C->SrcStride[D];
      To += Index * C->DstStride[D];
    }
    std::memmove(Dst + To * Size,
                 Pad ? reinterpret_cast<const uint8_t *>(&C->PadBits)
                     : Src + From * Size,
                 Size);
  }
}
