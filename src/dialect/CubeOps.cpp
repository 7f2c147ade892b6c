//===- CubeOps.cpp - Instructions of the cube core ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix that begins where its buffer begins, and has no more rows and
// columns than the buffer has room for, lies inside of it: fractals are packed,
// or as far apart as the buffer's shape says. So the fields of an instruction
// are bounded by the room of its operands, and each operand is touched as a
// whole.
//
//===----------------------------------------------------------------------===//

#include "dialect/CubeForm.h"
#include "dialect/Windows.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Fractals
//===----------------------------------------------------------------------===//

int64_t belay::ascend::blockElements(Type Element) {
  return 32 * 8 / Element.getIntOrFloatBitWidth();
}

Type belay::ascend::sumTypeOf(Type Element) {
  if (Element.isF16() || Element.isBF16() || Element.isF32())
    return Float32Type::get(Element.getContext());
  if (Element.isInteger(8))
    return IntegerType::get(Element.getContext(), 32);
  return {};
}

std::optional<MatrixRoom> belay::ascend::blockedRoom(MemRefType Buffer,
                                                     int64_t Inner) {
  if (Buffer.getRank() != 3 || Buffer.getDimSize(2) != Inner ||
      Buffer.getDimSize(1) % FractalRows || !Buffer.getLayout().isIdentity())
    return std::nullopt;
  return MatrixRoom{Buffer.getDimSize(1), Buffer.getDimSize(0) * Inner};
}

std::optional<MatrixRoom> belay::ascend::operandRoom(MemRefType Buffer) {
  return blockedRoom(Buffer, blockElements(Buffer.getElementType()));
}

std::optional<MatrixRoom> belay::ascend::sumRoom(MemRefType Buffer) {
  return blockedRoom(Buffer, FractalRows);
}

std::optional<MatrixRoom> belay::ascend::fractalRoom(MemRefType Buffer) {
  int64_t C0 = blockElements(Buffer.getElementType());
  if (Buffer.getRank() != 4 || Buffer.getDimSize(2) != FractalRows ||
      Buffer.getDimSize(3) != C0 || !Buffer.getLayout().isIdentity())
    return std::nullopt;
  // Fractals of L0B are transposed: C0 rows of 16 columns.
  if (isInSpace(Buffer, MemorySpace::L0B))
    return MatrixRoom{Buffer.getDimSize(0) * C0,
                      Buffer.getDimSize(1) * FractalRows};
  return MatrixRoom{Buffer.getDimSize(0) * FractalRows,
                    Buffer.getDimSize(1) * C0};
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Constraints (W1) to (W4) of a window that goes to or comes from a matrix.
template <typename CopyOp>
static LogicalResult verifyMatrixWindow(CopyOp Op, Type Element,
                                        MatrixRoom Room) {
  return verifyWindow(Op, Op.getView().getType(), Op.getStaticOffsets(),
                      Op.getStaticSizes(),
                      {Element,
                       {ShapedType::kDynamic, ShapedType::kDynamic},
                       {Room.Rows, Room.Cols}});
}

template <typename CopyOp> static LogicalResult verifyIn(CopyOp Op) {
  MemRefType Buffer = Op.getDst().getType();
  std::optional<MatrixRoom> Room = operandRoom(Buffer);
  if (failed(verifyRoom(Op, Buffer, Room, "K1")))
    return failure();
  return verifyMatrixWindow(Op, Buffer.getElementType(), *Room);
}

/// Constraint (K2).
static LogicalResult verifyRounding(Operation *Op, Type Sum, Type Stored) {
  bool Known = Sum.isF32() ? Stored.isF32() || Stored.isF16() || Stored.isBF16()
                           : Sum.isInteger(32) && Stored.isInteger(32);
  if (Known)
    return success();
  return Op->emitOpError() << "cannot store sums of " << Sum << " as " << Stored
                           << " (K2)";
}

template <typename CopyOp> static LogicalResult verifyOut(CopyOp Op) {
  MemRefType Buffer = Op.getSrc().getType();
  Type Stored = Op.getView().getType().getElementType();
  std::optional<MatrixRoom> Room = sumRoom(Buffer);
  if (failed(verifyRoom(Op, Buffer, Room, "K3")) ||
      failed(verifyAtomic(Op, Op.getCombine())) ||
      failed(verifyRounding(Op, Buffer.getElementType(), Stored)))
    return failure();
  return verifyMatrixWindow(Op, Stored, *Room);
}

LogicalResult CubeInOp::verify() { return verifyIn(*this); }
LogicalResult CubeNd2NzOp::verify() { return verifyIn(*this); }
LogicalResult CubeOutOp::verify() { return verifyOut(*this); }
LogicalResult CubeFixpipeOp::verify() { return verifyOut(*this); }

template <typename LoadOp> static LogicalResult verifyLoad(LoadOp Op) {
  auto Src = cast<MemRefType>(Op.getSrc().getType()),
       Dst = cast<MemRefType>(Op.getDst().getType());
  if (Src.getElementType() != Dst.getElementType())
    return Op.emitOpError() << "loads " << Src.getElementType() << " as "
                            << Dst.getElementType() << " (K4)";
  return success(succeeded(verifyRoom(Op, Src, operandRoom(Src), "K5")) &&
                 succeeded(verifyRoom(Op, Dst, fractalRoom(Dst), "K5")));
}

LogicalResult CubeLoadOp::verify() { return verifyLoad(*this); }
LogicalResult CubeLoadFractalsOp::verify() { return verifyLoad(*this); }

LogicalResult CubeMmadOp::verify() {
  auto Lhs = cast<MemRefType>(getLhs().getType()),
       Rhs = cast<MemRefType>(getRhs().getType()),
       Dst = cast<MemRefType>(getDst().getType());
  if (Lhs.getElementType() != Rhs.getElementType() ||
      sumTypeOf(Lhs.getElementType()) != Dst.getElementType())
    return emitOpError() << "adds products of " << Lhs.getElementType()
                         << " and " << Rhs.getElementType() << " to "
                         << Dst.getElementType() << " (K6)";
  return success(succeeded(verifyRoom(*this, Lhs, fractalRoom(Lhs), "K5")) &&
                 succeeded(verifyRoom(*this, Rhs, fractalRoom(Rhs), "K5")) &&
                 succeeded(verifyRoom(*this, Dst, sumRoom(Dst), "K3")));
}

//===----------------------------------------------------------------------===//
// What the hardware is told
//===----------------------------------------------------------------------===//

LogicalResult CubeNd2NzOp::describe(const targets::Arch &Arch,
                                    InstructionForm &Form) {
  constexpr int64_t MostRows = 16384, MostCols = 65535, MostPitch = 65535;
  MatrixRoom Room = *operandRoom(getDst().getType());
  CubeForm F(*this, Form);
  F.name("Nd2Nz", getDst().getType().getElementType());
  F.field("number of rows", getRows(), 1, MostRows);
  F.field("number of columns", getCols(), 1, std::min(MostCols, Room.Cols));
  F.field("pitch", getPitch(), 1, MostPitch);
  F.field("pitch of blocks", F.number(Room.Rows), 1, MostRows);
  F.part("row", getRow(), getRows(), Room.Rows);
  F.access(getDst(), /*Writes=*/true);
  F.window(*this);
  return success(hasCubeForms(Arch, /*OneCore=*/false));
}

Pipe CubeFillOp::getPipe() {
  if (isInSpace(getDst().getType(), MemorySpace::L1))
    return getOneCore() ? Pipe::MTE2 : Pipe::CubeMTE2;
  return getOneCore() ? Pipe::FusedMTE1 : Pipe::MTE1;
}

LogicalResult CubeFillOp::describe(const targets::Arch &Arch,
                                   InstructionForm &Form) {
  constexpr int64_t MostBlocks = 32767, BlockBytes = 32;
  auto Type = cast<MemRefType>(getDst().getType());
  bool InL1 = isInSpace(Type, MemorySpace::L1);
  CubeForm F(*this, Form);
  // Zeros of any type; bytes are filled in pairs.
  bool IsBytes = Type.getElementTypeBitWidth() == 8;
  F.name("Fill",
         IsBytes ? Float16Type::get(getContext()) : Type.getElementType());
  F.field("number of blocks",
          F.number(bytesOf(Type) /
                   (InL1 && Arch.fillsByBlocks ? BlockBytes : FractalBytes)),
          1, MostBlocks);
  F.access(getDst(), /*Writes=*/true);
  return success(hasCubeForms(Arch, getOneCore()));
}

bool CubeLoadOp::isRight() {
  return isInSpace(getDst().getType(), MemorySpace::L0B);
}

LogicalResult CubeLoadOp::describe(const targets::Arch &Arch,
                                   InstructionForm &Form) {
  constexpr int64_t MostWidth = 32767, MostChannels = 65535, MostSteps = 255;
  auto Src = cast<MemRefType>(getSrc().getType()),
       Dst = cast<MemRefType>(getDst().getType());
  MatrixRoom From = *operandRoom(Src), To = *fractalRoom(Dst);
  int64_t C0 = blockElements(Src.getElementType());
  CubeForm F(*this, Form);
  F.name("LoadData", Src.getElementType());
  int64_t Side = std::max(C0, FractalRows);
  int64_t MostRows = getTransposed() ? To.Cols : To.Rows,
          MostCols = getTransposed() ? To.Rows : To.Cols;
  if (Arch.hasLoadData2Dv2) {
    // It counts fractals.
    MostRows = std::min(MostRows, MostSteps * FractalRows);
    MostCols = std::min(MostCols, MostSteps * C0);
  } else {
    F.field("width", F.number(From.Rows), 1, MostWidth);
    F.field("number of channels", F.number(From.Cols), 1, MostChannels);
  }
  F.field("number of rows", getRows(), FractalRows, MostRows,
          isTransposing() ? Side : FractalRows);
  F.field("number of columns", getCols(), 1, MostCols,
          isTransposing() ? Side : C0);
  F.part("row", getRow(), getRows(), From.Rows, FractalRows);
  F.part("column", getCol(), getCols(), From.Cols, C0);
  F.access(getSrc(), /*Writes=*/false);
  F.access(getDst(), /*Writes=*/true);
  bool HasForm = Arch.hasLoadData2Dv2 || !isRight() || isTransposing();
  bool CanTranspose = Src.getElementTypeBitWidth() >=
                      static_cast<unsigned>(Arch.loadTransposeMinBits);
  return success(hasCubeForms(Arch, getOneCore()) && HasForm &&
                 (!isTransposing() || CanTranspose));
}

/// Fractals of the destination are packed, by as many as a row of them has: one
/// row of fractals after the other lies inside of it if the row does, and if
/// the number of rows does.
LogicalResult CubeLoadFractalsOp::describe(const targets::Arch &Arch,
                                           InstructionForm &Form) {
  constexpr int64_t MostRepeats = 255;
  auto Src = cast<MemRefType>(getSrc().getType()),
       Dst = cast<MemRefType>(getDst().getType());
  MatrixRoom From = *operandRoom(Src), To = *fractalRoom(Dst);
  int64_t C0 = blockElements(Src.getElementType());
  CubeForm F(*this, Form);
  F.part("row", getRow(), getRows(), From.Rows, FractalRows);
  F.part("column", getCol(), getCols(), From.Cols, C0);
  F.access(getSrc(), /*Writes=*/false);
  F.access(getDst(), /*Writes=*/true);
  if (!getTransposed()) {
    int64_t Side = std::max(C0, FractalRows);
    F.name("LoadDataWithTranspose", Src.getElementType());
    F.field("pitch of squares", F.number(From.Rows), Side, From.Rows, Side);
    F.field("row", getRow(), 0, From.Rows, Side);
    F.field("number of rows", getRows(), Side, Side);
    F.field("number of columns", getCols(), Side,
            std::min(To.Cols, MostRepeats * Side), Side);
    F.part("row of fractals", getOuter(), F.number(1), Dst.getDimSize(0));
    return success(hasCubeForms(Arch, getOneCore()) && Arch.hasLoadTransposed);
  }
  F.name("LoadData", Src.getElementType());
  F.field("number of rows", getRows(), FractalRows,
          std::min(To.Cols, MostRepeats * FractalRows), FractalRows);
  if (getConstantIntValue(getCols()) == C0) {
    F.part("row of fractals", getOuter(), F.number(1), Dst.getDimSize(0));
    return success(hasCubeForms(Arch, getOneCore()));
  }
  F.field("row", getRow(), 0, 0);
  F.field("number of rows", getRows(), From.Rows, From.Rows);
  F.field("number of columns", getCols(), C0,
          std::min(To.Rows, MostRepeats * FractalRows / From.Rows * C0), C0);
  F.field("row of fractals", getOuter(), 0, 0);
  return success(hasCubeForms(Arch, getOneCore()));
}

LogicalResult CubeMmadOp::describe(const targets::Arch &Arch,
                                   InstructionForm &Form) {
  constexpr int64_t Most = 4095;
  MatrixRoom Lhs = *fractalRoom(cast<MemRefType>(getLhs().getType())),
             Rhs = *fractalRoom(cast<MemRefType>(getRhs().getType())),
             Sums = *sumRoom(cast<MemRefType>(getDst().getType()));
  CubeForm F(*this, Form);
  F.name("Mmad", cast<MemRefType>(getLhs().getType()).getElementType());
  F.field("m", getM(), 2, std::min({Most, Lhs.Rows, Sums.Rows}));
  F.field("n", getN(), 1, std::min({Most, Rhs.Cols, Sums.Cols}));
  F.field("k", getK(), 1, std::min({Most, Lhs.Cols, Rhs.Rows}));
  if (getAlignK())
    F.field("room for pairs of fractals", F.number(Lhs.Cols), FractalRows,
            Lhs.Cols, FractalRows);
  F.access(getLhs(), /*Writes=*/false);
  F.access(getRhs(), /*Writes=*/false);
  F.access(getDst(), /*Writes=*/true);
  return success(hasCubeForms(Arch, getOneCore()));
}

LogicalResult CubeFixpipeOp::describe(const targets::Arch &Arch,
                                      InstructionForm &Form) {
  constexpr int64_t MostRows = 8192, MostCols = 4095, MostPitch = UINT32_MAX,
                    MostSrcPitch = 65535;
  MatrixRoom Room = *sumRoom(getSrc().getType());
  CubeForm F(*this, Form);
  F.name("Fixpipe", getView().getType().getElementType());
  F.field("number of rows", getRows(), 1, MostRows);
  F.field("number of columns", getCols(), 1, std::min(MostCols, Room.Cols));
  F.field("pitch", getPitch(), 1, MostPitch);
  F.field("pitch of fractals", getSrcPitch(), FractalRows,
          std::min(MostSrcPitch, Room.Rows), FractalRows);
  F.part("row", getRow(), getRows(), Room.Rows);
  F.access(getSrc(), /*Writes=*/false);
  F.window(*this);
  Form.Atomic = getCombine();
  return success(hasCubeForms(Arch, /*OneCore=*/false));
}
