//===- OneCoreOps.cpp - Between the units of one core ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices in L1 and L0C are bounded by the room of their buffers, as in
// CubeOps.cpp; rows of the unified buffer are described element by element, as
// those of all other copies.
//
//===----------------------------------------------------------------------===//

#include "dialect/CubeForm.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Constraint (K4).
static LogicalResult verifySame(Operation *Op, Type A, Type B) {
  if (A == B)
    return success();
  return Op->emitOpError() << "copies " << A << " as " << B << " (K4)";
}

template <typename CopyOp>
static LogicalResult verifyToL1(CopyOp Op, Type Element) {
  MemRefType Buffer = Op.getDst().getType();
  return success(succeeded(verifyRoom(Op, Buffer, operandRoom(Buffer), "K1")) &&
                 succeeded(verifySame(Op, Element, Buffer.getElementType())));
}

/// Constraints (K3) and (K2) of sums that stay as they are.
template <typename CopyOp>
static LogicalResult verifySums(CopyOp Op, Type Element) {
  MemRefType Buffer = Op.getSrc().getType();
  if (failed(verifyRoom(Op, Buffer, sumRoom(Buffer), "K3")))
    return failure();
  Type Sum = Buffer.getElementType();
  if (Sum == Element && (Sum.isF32() || Sum.isInteger(32)))
    return success();
  return Op.emitOpError() << "cannot copy sums of " << Sum << " as " << Element
                          << " (K2)";
}

LogicalResult ToL1Op::verify() {
  return verifyToL1(*this, getTile().getType().getElementType());
}

LogicalResult FromL0COp::verify() {
  RankedTensorType Type = getTile().getType();
  if (getSizes().size() != Type.getNumDynamicDims())
    return emitOpError() << "has " << getSizes().size() << " sizes for "
                         << Type.getNumDynamicDims() << " open extents (X1)";
  return verifySums(*this, Type.getElementType());
}

LogicalResult VecClearOp::verify() {
  MemRefType Buffer = getBuffer().getType();
  if (Buffer.getElementTypeBitWidth() != 16 ||
      getWork().getType().getElementTypeBitWidth() != 16)
    return emitOpError("clears elements of 16 bits only (V1)");
  return success();
}

LogicalResult CubePutOp::verify() {
  return verifyToL1(*this, getSrc().getType().getElementType());
}

LogicalResult CubePutBlocksOp::verify() {
  return verifyToL1(*this, getSrc().getType().getElementType());
}

LogicalResult CubeGetOp::verify() {
  MemRefType Work = getWork().getType();
  return success(
      succeeded(verifySums(*this, getDst().getType().getElementType())) &&
      succeeded(verifyRoom(*this, Work, sumRoom(Work), "K3")) &&
      succeeded(verifySame(*this, Work.getElementType(),
                           getDst().getType().getElementType())));
}

LogicalResult CubeFractalsOp::verify() {
  MemRefType Dst = getDst().getType();
  return success(succeeded(verifySums(*this, Dst.getElementType())) &&
                 succeeded(verifyRoom(*this, Dst, sumRoom(Dst), "K3")));
}

LogicalResult CubeRowsOp::verify() {
  MemRefType Src = getSrc().getType();
  return success(succeeded(verifyRoom(*this, Src, sumRoom(Src), "K3")) &&
                 succeeded(verifySame(*this, Src.getElementType(),
                                      getDst().getType().getElementType())));
}

//===----------------------------------------------------------------------===//
// What the hardware is told
//===----------------------------------------------------------------------===//

LogicalResult CubePutBlocksOp::describe(const targets::Arch &Arch,
                                        InstructionForm &Form) {
  MemRefType Dst = getDst().getType();
  MatrixRoom Room = *operandRoom(Dst);
  int64_t C0 = blockElements(Dst.getElementType());
  auto Pitch = static_cast<int64_t>(getPitch());
  CubeForm F(*this, Form);
  F.name("DataCopy", Dst.getElementType());
  F.field("number of blocks", getRows(), 1, Arch.copyMaxBursts);
  F.field("pitch", F.number(Pitch), C0, Arch.copyMaxBlocks * C0, C0);
  F.part("row", getRow(), getRows(), Room.Rows);
  F.part("column of blocks", getBlock(), F.number(1), Dst.getDimSize(0));
  F.rows(getSrc(), /*Writes=*/false, getRows(), Pitch, C0);
  F.access(getDst(), /*Writes=*/true);
  return success(hasCubeForms(Arch, /*OneCore=*/true));
}

LogicalResult CubeFractalsOp::describe(const targets::Arch &Arch,
                                       InstructionForm &Form) {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  MatrixRoom From = *sumRoom(Src), To = *sumRoom(Dst);
  CubeForm F(*this, Form);
  F.name("DataCopy", Dst.getElementType());
  F.field("number of columns of fractals", getBlocks(), 1,
          std::min({int64_t(Arch.copyMaxBursts), Src.getDimSize(0),
                    Dst.getDimSize(0)}));
  F.field("number of rows", getRows(), FractalRows,
          std::min(int64_t(Arch.copyMaxBlocks), To.Rows), FractalRows);
  F.field("pitch of fractals", getPitch(), FractalRows, From.Rows, FractalRows);
  F.part("row", getRow(), getRows(), From.Rows, FractalRows);
  F.access(getSrc(), /*Writes=*/false);
  F.access(getDst(), /*Writes=*/true);
  return success(hasCubeForms(Arch, /*OneCore=*/true));
}

LogicalResult CubeRowsOp::describe(const targets::Arch &Arch,
                                   InstructionForm &Form) {
  MemRefType Src = getSrc().getType();
  int64_t Block = blockElements(Src.getElementType());
  auto Pitch = static_cast<int64_t>(getPitch()),
       Length = static_cast<int64_t>(getLength());
  CubeForm F(*this, Form);
  F.name("DataCopy", Src.getElementType());
  F.field("number of rows", getRows(), 1,
          std::min(int64_t(Arch.copyMaxBursts), sumRoom(Src)->Rows));
  F.field("length", F.number(Length), 1, FractalRows / Block);
  F.field("pitch", F.number(Pitch), Length * Block, Arch.copyMaxBlocks * Block,
          Block);
  F.part("column of fractals", getBlock(), F.number(1), Src.getDimSize(0));
  F.access(getSrc(), /*Writes=*/false);
  F.rows(getDst(), /*Writes=*/true, getRows(), Pitch, Length * Block);
  return success(hasCubeForms(Arch, /*OneCore=*/true));
}
