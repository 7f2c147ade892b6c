//===- Fixpipe.cpp - Results out of L0C -----------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/core/CrossCore.h"
#include "model/core/Device.h"
#include "model/instructions/Atomic.h"
#include "model/instructions/Cube.h"
#include "model/instructions/RowConverter.h"

using namespace belay::sim;

namespace {

constexpr uint32_t Cell = FractalRows; // columns of a fractal in L0C

/// The rows and columns of L0C that go to one destination.
struct Part {
  uint32_t Row, Rows, Column, Columns;
  uint8_t *Dst;
};

Conversion conversionOf(const FixOut *F) {
  return {F->SrcType,     F->DstType,     F->Quant, F->QuantVector,
          F->QuantScalar, F->QuantTensor, F->Relu};
}

void checkTypes(Issue &I, const FixOut *F) {
  if (conversionOf(F).known())
    return;
  fail("unsupported-dtype", I.pc(),
       "set quantPre to the mode of these two types, such as F322F16 for float "
       "to half",
       "%s from %s to %s: quantPre does not say how", I.name(),
       nameOf(F->SrcType), nameOf(F->DstType));
}

void checkShape(const Issue &I, const FixOut *F) {
  if (!I.core().arch().hasFixpipe)
    fail("unsupported-api", I.pc(),
         "copy L0C to UB with DataCopy and DataCopyEnhancedParams",
         "%s does not exist on arch %u", I.name(), I.core().arch().number);
  uint32_t Multiple = F->ChannelSplit ? 8 : 16;
  if (F->Layout == OutLayout::NZ && F->N % Multiple)
    fail("bad-repeat", I.pc(), "round nSize up, or write ND",
         "%s of %u columns to an NZ matrix, which has a multiple of %u",
         I.name(), F->N, Multiple);
  if (F->N > 4095)
    fail("bad-repeat", I.pc(), "take fewer columns at once",
         "%s of %u columns; 4095 is the most", I.name(), F->N);
  if (F->DualTarget == 1 ? F->M % 2 : F->DualTarget == 2 && F->N % 32)
    fail("bad-repeat", I.pc(), "split a multiple of 2 rows or 32 columns",
         "%s shares %u x %u between two vector cores", I.name(), F->M, F->N);
}

/// The same place in the UB of a vector core of this block. On parts whose
/// cores are coupled it is the core's own.
uint8_t *inVectorCore(const Issue &I, void *Dst, uint32_t SubBlock) {
  Core &C = I.core();
  if (C.Kind != CoreKind::Cube)
    return static_cast<uint8_t *>(Dst);
  Core *V = C.device().vectorCoreOf(C, SubBlock);
  if (!V)
    fail(
        "wrong-core", I.pc(), "launch the kernel as a mixed one",
        "%s writes to the UB of vector core %u of this block, which the launch "
        "does not have",
        I.name(), SubBlock);
  return V->Memories.base(Space::UB) +
         (static_cast<uint8_t *>(Dst) - C.Memories.base(Space::UB));
}

/// Columns that one fractal of an NZ destination holds.
uint32_t outColumns(const FixOut *F) {
  if (F->ChannelSplit)
    return 8;
  return bytesOf(F->DstType) == 1 ? 32 : 16;
}

/// Rows that do not follow each other need a stride of their own, so that each
/// matrix is an operand.
void readSource(Issue &I, const FixOut *F) {
  constexpr uint32_t RowBytes = Cell * 4;
  int64_t PieceStride = int64_t(F->SrcStride) * RowBytes;
  uint32_t Pieces = ceilDiv(F->N, Cell);
  if (F->SrcRowStride == 1 || F->M == 1)
    return I.read(F->Src,
                  {product(F->M, RowBytes), Pieces, PieceStride, F->Matrices,
                   static_cast<int64_t>(F->SrcMatrixStride)},
                  F->SrcType, 64);
  constexpr uint32_t MaxMatrices = 4095;
  if (F->Matrices > MaxMatrices)
    fail("bad-repeat", I.pc(), "take fewer matrices at once",
         "%s of %u matrices; %u is the most", I.name(), F->Matrices,
         MaxMatrices);
  for (uint32_t M = 0; M < F->Matrices; ++M)
    I.read(offsetBy(F->Src, product(M, F->SrcMatrixStride)),
           {RowBytes, F->M, int64_t(F->SrcRowStride) * RowBytes, Pieces,
            PieceStride},
           F->SrcType, 64);
}

Extent targetExtent(const FixOut *F) {
  uint32_t Size = bytesOf(F->DstType);
  auto Matrix = static_cast<int64_t>(F->DstMatrixStride);
  auto Stride = static_cast<int64_t>(F->DstStride);
  switch (F->Layout) {
  case OutLayout::ND:
    return {product(F->N, Size), F->M, Stride, F->Matrices, Matrix};
  case OutLayout::DN:
    return {product(F->M, Size), F->N, Stride, F->Matrices, Matrix};
  default:
    uint32_t Columns = outColumns(F);
    return {product(F->M, std::min(Columns, F->N), Size),
            ceilDiv(F->N, Columns), Stride, F->Matrices, Matrix};
  }
}

/// One row goes out as one piece (ND), in pieces of a fractal's width (NZ), or
/// element by element (DN).
void putRow(const FixOut *F, const Store &Put, uint8_t *Dst,
            const uint8_t *Values, uint32_t Row, uint32_t Columns) {
  uint32_t Size = bytesOf(F->DstType);
  if (F->Layout == OutLayout::ND) {
    Put(Dst + Row * F->DstStride, Values, size_t(Columns) * Size);
    return;
  }
  if (F->Layout == OutLayout::DN) {
    for (uint32_t N = 0; N < Columns; ++N)
      Put(Dst + N * F->DstStride + size_t(Row) * Size,
          Values + size_t(N) * Size, Size);
    return;
  }
  uint32_t Width = outColumns(F);
  for (uint32_t N = 0; N < Columns; N += Width) {
    uint32_t Take = std::min(Width, Columns - N);
    Put(Dst + N / Width * F->DstStride + size_t(Row) * Take * Size,
        Values + size_t(N) * Size, size_t(Take) * Size);
  }
}

/// Where element (Row, Column) of a matrix goes, in bytes from its start.
uint64_t placeOf(const FixOut &F, uint32_t Row, uint32_t Column) {
  uint32_t Size = bytesOf(F.DstType), Width = outColumns(&F);
  switch (F.Layout) {
  case OutLayout::ND:
    return Row * F.DstStride + uint64_t(Column) * Size;
  case OutLayout::DN:
    return Column * F.DstStride + uint64_t(Row) * Size;
  default:
    uint32_t Take = std::min(Width, F.N - Column / Width * Width);
    return Column / Width * F.DstStride +
           (uint64_t(Row) * Take + Column % Width) * Size;
  }
}

/// The columns of the last fractal that lie outside the matrix are read, but go
/// nowhere.
void tellOrigins(const FixOut &F, const std::function<void(Origin)> &Tell) {
  const auto *Src = static_cast<const uint8_t *>(F.Src);
  const auto *Dst = static_cast<const uint8_t *>(F.Dst);
  const auto *Quant = static_cast<const uint8_t *>(F.QuantTensor);
  uint32_t Size = bytesOf(F.DstType);
  for (uint32_t M = 0; M < F.Matrices; ++M)
    for (uint32_t Row = 0; Row < F.M; ++Row)
      for (uint32_t C = 0; C < F.N; ++C) {
        const uint8_t *To = Dst + M * F.DstMatrixStride + placeOf(F, Row, C);
        Tell(
            bytesOrigin(To, Size,
                        Src + M * F.SrcMatrixStride +
                            (uint64_t(C / Cell) * F.SrcStride * Cell +
                             uint64_t(Row) * F.SrcRowStride * Cell + C % Cell) *
                                4,
                        4));
        if (F.QuantVector)
          Tell(bytesOrigin(To, Size, Quant + uint64_t(C) * 8, 8));
      }
}

std::vector<Part> partsOf(const Issue &I, const FixOut *F) {
  auto *Dst = static_cast<uint8_t *>(F->Dst);
  if (spaceOf(F->Dst) != Space::UB)
    return {{0, F->M, 0, F->N, Dst}};
  if (!F->DualTarget)
    return {{0, F->M, 0, F->N, inVectorCore(I, Dst, F->SubBlock)}};
  bool ByRows = F->DualTarget == 1;
  uint32_t Rows = ByRows ? F->M / 2 : F->M;
  uint32_t Columns = ByRows ? F->N : F->N / 2;
  return {{0, Rows, 0, Columns, inVectorCore(I, Dst, 0)},
          {ByRows ? Rows : 0, Rows, ByRows ? 0 : Columns, Columns,
           inVectorCore(I, Dst, 1)}};
}

/// Tells the vector core whose UB the part lies in.
void deliver(const Issue &I, const FixOut *F, const Part &P) {
  Core &C = I.core();
  if (C.Kind != CoreKind::Cube || spaceOf(F->Dst) != Space::UB)
    return;
  FixOut Share = *F;
  Share.M = P.Rows;
  Share.N = P.Columns;
  for (uint32_t SubBlock = 0; SubBlock < 2; ++SubBlock)
    if (Core *V = C.device().vectorCoreOf(C, SubBlock);
        V && V->Memories.spaceOf(P.Dst) == Space::UB)
      C.device().crossCore().deliver(*V, targetExtent(&Share), P.Dst);
}

/// What SetFixpipeNz2ndFlag, SetFixpipePreQuantFlag and SetFixPipeConfig said.
FixOut withRegisters(const FixOut *F) {
  FixOut Out = *F;
  const Core &C = Core::current();
  const CubeRegisters &R = C.Regs.Cube;
  Out.QuantScalar = R.QuantScalar;
  Out.QuantTensor = R.QuantTensor;
  if (F->Layout == OutLayout::ND) {
    // In fractals, or in rows of them.
    uint32_t Unit = C.arch().ndStrideInRows ? Cell * 4 : Cell * Cell * 4;
    Out.Matrices = R.NdMatrices;
    Out.SrcMatrixStride = uint64_t(R.NdSrcStride) * Unit;
    Out.DstMatrixStride = uint64_t(R.NdDstStride) * bytesOf(F->DstType);
  }
  return Out;
}

} // namespace

void belay_sim_cube_fixpipe(const FixOut *Call) {
  Issue I(Call->Name, on::cube_fixpipe, BELAY_PC, InstructionKind::Copy);
  FixOut Filled = Call->FromRegisters ? withRegisters(Call) : *Call;
  const FixOut *F = &Filled;
  if (I.dropped() || !F->M || !F->N || !F->Matrices)
    return;
  requireSpace(I, F->Src, "source", {Space::L0C});
  requireSpace(I, F->Dst, "destination", {Space::GM, Space::L1, Space::UB});
  checkShape(I, F);
  checkTypes(I, F);
  I.record().UnitFlag = F->UnitFlag & 2;
  readSource(I, F);
  if (F->QuantVector && !F->QuantTensor)
    fail("bad-repeat", I.pc(),
         "pass the parameters as cbufWorkspace, or set them with "
         "SetFixPipeConfig",
         "%s quantises each column by itself, but has no parameters", I.name());
  if (F->QuantVector) {
    requireLocal(I, F->QuantTensor, "parameters");
    I.read(F->QuantTensor, {product(F->N, 8u)}, Elem::U64, BlockBytes);
  }
  I.write(F->Dst, targetExtent(F), F->DstType,
          F->Layout == OutLayout::ND && spaceOf(F->Dst) == Space::GM
              ? 1
              : BlockBytes);
  I.originsBy([=](auto &Tell) { tellOrigins(Filled, Tell); });
  if (I.later(belay_sim_cube_fixpipe, Call))
    return;
  Store Put(I);
  RowConverter Convert(conversionOf(F), F->N);
  size_t PieceStride = size_t(F->SrcStride) * Cell * 4;
  for (const Part &P : partsOf(I, F)) {
    for (uint32_t M = 0; M < F->Matrices; ++M)
      for (uint32_t Row = 0; Row < P.Rows; ++Row) {
        const uint8_t *From = static_cast<const uint8_t *>(F->Src) +
                              M * F->SrcMatrixStride +
                              size_t(P.Row + Row) * F->SrcRowStride * Cell * 4;
        putRow(F, Put, P.Dst + M * F->DstMatrixStride,
               Convert.convert(From, PieceStride, P.Column, P.Columns), Row,
               P.Columns);
      }
    deliver(I, F, P);
  }
}
