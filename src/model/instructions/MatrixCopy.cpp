//===- MatrixCopy.cpp - Matrices on their way to the cube -----------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/instructions/Cube.h"

#include <algorithm>
#include <cstring>

using namespace belay::sim;

namespace {

/// One row of an ND matrix becomes blocks of C0 elements, one per column of
/// fractals; the last block is filled up with zeros.
void spreadRow(uint8_t *Dst, const uint8_t *Src, uint64_t RowBytes,
               uint64_t ColumnStride) {
  for (uint64_t Done = 0; Done < RowBytes; Done += BlockBytes) {
    uint64_t Bytes = std::min<uint64_t>(BlockBytes, RowBytes - Done);
    std::memmove(Dst, Src + Done, Bytes);
    std::memset(Dst + Bytes, 0, BlockBytes - Bytes);
    Dst += ColumnStride;
  }
}

/// The same for a column-major matrix: element (row, column) is at
/// Src[column * Stride + row].
void spreadColumn(uint8_t *Dst, const uint8_t *Src, uint32_t Columns,
                  uint64_t SrcStride, uint64_t ColumnStride, uint32_t Size) {
  uint32_t C0 = BlockBytes / Size;
  for (uint32_t C = 0; C < ceilDiv(Columns, C0) * C0; ++C) {
    uint8_t *To = Dst + C / C0 * ColumnStride + uint64_t(C % C0) * Size;
    if (C < Columns)
      std::memmove(To, Src + C * SrcStride, Size);
    else
      std::memset(To, 0, Size);
  }
}

/// Small C0: rows of up to four elements, packed one after the other.
void packSmall(const NdToNz *N, uint32_t Size) {
  auto *Dst = static_cast<uint8_t *>(N->Dst);
  const auto *Src = static_cast<const uint8_t *>(N->Src);
  uint64_t Bytes = 0;
  for (uint32_t M = 0; M < N->Matrices; ++M)
    for (uint32_t R = 0; R < N->Rows; ++R)
      for (uint32_t C = 0; C < 4; ++C, Bytes += Size) {
        uint64_t From =
            M * N->SrcMatrixStride + (N->ColumnMajor ? C * N->SrcRowStride + R
                                                     : R * N->SrcRowStride + C);
        if (C < N->Columns)
          std::memmove(Dst + Bytes, Src + From * Size, Size);
        else
          std::memset(Dst + Bytes, 0, Size);
      }
  if (Bytes % BlockBytes)
    std::memset(Dst + Bytes, 0, BlockBytes - Bytes % BlockBytes);
}

} // namespace

void belay_sim_cube_nd2nz(const NdToNz *N) {
  bool FromGlobal = spaceOf(N->Src) == Space::GM;
  Issue I("DataCopy", pipeBy(on::cube_nd2nz, spaceOf(N->Src), spaceOf(N->Dst)),
          BELAY_PC, InstructionKind::Copy);
  if (!N->Matrices || !N->Rows || !N->Columns)
    return;
  if (N->ColumnMajor && !I.core().arch().hasDn2Nz)
    fail("unsupported-api", I.pc(), "copy with Nd2NzParams and load transposed",
         "DataCopy with Dn2NzParams does not exist on arch %u",
         I.core().machine().Arch);
  requireSpace(I, N->Dst, "destination", {Space::L1, Space::UB});
  uint32_t Size = bytesOf(N->Type);
  // Products of these must not wrap before they are compared with a memory.
  constexpr uint32_t TooMany = 1 << 24;
  if (N->Matrices > TooMany || N->Rows > TooMany || N->Columns > TooMany ||
      N->SrcRowStride >> 40 || N->SrcMatrixStride >> 40)
    fail("local-out-of-bounds", I.pc(),
         "check count, repeat and strides against the size of the tensor",
         "DataCopy of %u matrices of %u x %u elements", N->Matrices, N->Rows,
         N->Columns);
  uint32_t Blocks = ceilDiv(N->Columns * Size, BlockBytes);
  int64_t SrcStride = static_cast<int64_t>(N->SrcRowStride * Size);
  int64_t SrcMatrix = static_cast<int64_t>(N->SrcMatrixStride * Size);
  uint32_t Lines = N->ColumnMajor ? N->Columns : N->Rows;
  uint32_t LineBytes = (N->ColumnMajor ? N->Rows : N->Columns) * Size;
  I.read(N->Src, {LineBytes, Lines, SrcStride, N->Matrices, SrcMatrix}, N->Type,
         FromGlobal ? 1 : BlockBytes);
  bool Small = N->SmallC0 && N->Columns <= 4;
  int64_t RowStride = int64_t(N->DstRowStride) * BlockBytes;
  int64_t ColumnStride = int64_t(N->DstColumnStride) * BlockBytes;
  int64_t MatrixStride = int64_t(N->DstMatrixStride) * Size;
  if (Small) {
    // As blocks, of which there may be more than 32 bits count.
    I.write(N->Dst,
            {uint64_t(4) * Size, N->Rows, int64_t(4) * Size, N->Matrices,
             int64_t(4) * Size * N->Rows},
            N->Type, BlockBytes);
    if (!I.dropped() && !I.later(belay_sim_cube_nd2nz, N)) {
      packSmall(N, Size);
      bringToCube(I, N->Src, N->Dst, {product(4u, Size, N->Rows, N->Matrices)});
    }
    return;
  }
  // The record has two strides; of several matrices it keeps the hull of each.
  Extent One = {BlockBytes, N->Rows, RowStride, Blocks, ColumnStride};
  if (N->Matrices > 1)
    One = {One.span(), N->Matrices, MatrixStride};
  I.write(N->Dst, One, N->Type, BlockBytes);
  I.originsBy([=](auto &Tell) {
    uint32_t C0 = BlockBytes / Size;
    for (uint32_t M = 0; M < N->Matrices; ++M)
      for (uint32_t R = 0; R < N->Rows; ++R)
        for (uint32_t C = 0; C < N->Columns; ++C)
          Tell(bytesOrigin(
              static_cast<uint8_t *>(N->Dst) + M * MatrixStride +
                  R * RowStride + C / C0 * ColumnStride +
                  uint64_t(C % C0) * Size,
              Size,
              static_cast<const uint8_t *>(N->Src) + M * SrcMatrix +
                  (N->ColumnMajor ? C * SrcStride + int64_t(R) * Size
                                  : R * SrcStride + int64_t(C) * Size),
              Size));
  });
  if (I.dropped() || I.later(belay_sim_cube_nd2nz, N))
    return;
  for (uint32_t M = 0; M < N->Matrices; ++M)
    for (uint32_t R = 0; R < N->Rows; ++R) {
      auto *To =
          static_cast<uint8_t *>(N->Dst) + M * MatrixStride + R * RowStride;
      const auto *From = static_cast<const uint8_t *>(N->Src) + M * SrcMatrix;
      if (N->ColumnMajor)
        spreadColumn(To, From + uint64_t(R) * Size, N->Columns,
                     static_cast<uint64_t>(SrcStride),
                     static_cast<uint64_t>(ColumnStride), Size);
      else
        spreadRow(To, From + R * SrcStride, uint64_t(N->Columns) * Size,
                  static_cast<uint64_t>(ColumnStride));
    }
  for (uint32_t M = 0; M < N->Matrices; ++M)
    bringToCube(I, N->Src, static_cast<uint8_t *>(N->Dst) + M * MatrixStride,
                {BlockBytes, N->Rows, RowStride, Blocks, ColumnStride});
}

void belay_sim_cube_set(CubeRegister R, uint64_t Value) {
  CubeRegisters &C = Core::current().Regs.Cube;
  switch (R) {
  case CubeRegister::LoadPadding:
    C.PaddingBits = Value;
    return;
  case CubeRegister::LoadBoundary:
    C.Boundary = static_cast<uint32_t>(Value);
    return;
  case CubeRegister::Hf32:
    C.Hf32 = Value;
    return;
  case CubeRegister::Hf32TowardsZero:
    C.Hf32TowardsZero = Value;
    return;
  case CubeRegister::RowMajor:
    C.RowMajor = Value;
    return;
  case CubeRegister::QuantScalar:
    C.QuantScalar = Value;
    return;
  case CubeRegister::QuantTensor:
    C.QuantTensor = reinterpret_cast<const void *>(Value);
    return;
  case CubeRegister::ClipRelu:
    C.ClipRelu = Value;
    return;
  }
}

void belay_sim_cube_set_fmatrix(bool Right, uint16_t H, uint16_t W,
                                const uint8_t Pad[4]) {
  CubeRegisters::FeatureMap &Map = Core::current().Regs.Cube.Map[Right];
  Map.H = H;
  Map.W = W;
  std::memcpy(Map.Pad, Pad, 4);
}

void belay_sim_cube_set_repeat(uint16_t Stride, uint8_t Times, uint8_t Mode,
                               uint16_t DstStride) {
  CubeRegisters &C = Core::current().Regs.Cube;
  C.RepeatStride = Stride;
  C.RepeatTimes = Times;
  C.RepeatMode = Mode;
  C.DstStride = DstStride;
}

void belay_sim_cube_set_nz2nd(uint16_t Matrices, uint16_t SrcStride,
                              uint32_t DstStride) {
  CubeRegisters &C = Core::current().Regs.Cube;
  C.NdMatrices = Matrices;
  C.NdSrcStride = SrcStride;
  C.NdDstStride = DstStride;
}
