//===- CoreOps.cpp - Kernels as instructions ------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Pipes.h"
#include "dialect/Windows.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t belay::ascend::bytesOf(MemRefType Buffer) {
  // A buffer has a size.
  return *getBufferBytes(Buffer);
}

int64_t belay::ascend::bufferAlignment(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::GM:
    return 1;
  case MemorySpace::UB:
  case MemorySpace::L1:
    return 32;
  case MemorySpace::L0A:
  case MemorySpace::L0B:
    return 512;
  case MemorySpace::L0C:
    return 1024;
  case MemorySpace::BT:
    return 64;
  case MemorySpace::FB:
    return 128;
  }
  llvm_unreachable("all memories are listed");
}

int64_t BufferOp::getSlotBytes() { return bytesOf(getBuffer().getType()); }

LogicalResult BufferOp::verify() {
  std::optional<uint64_t> Offset = getOffset();
  int64_t Alignment = bufferAlignment(*getSpace(getBuffer().getType()));
  if (Offset && *Offset % Alignment)
    return emitOpError() << "starts at " << *Offset
                         << ", which is not a multiple of " << Alignment
                         << " (M2)";
  int64_t Slots = getSlots();
  if (Slots > 1 && getSlotBytes() % Alignment)
    return emitOpError() << "has slots of " << getSlotBytes()
                         << " bytes, which is not a multiple of " << Alignment
                         << " (M2)";
  if (Slots < 1 || (Slots > 1) != bool(getSlot()))
    return emitOpError() << "has " << Slots << " slots and "
                         << (getSlot() ? "a" : "no") << " slot operand (M3)";
  return success();
}

static WindowTarget targetOf(MemRefType Buffer) {
  SmallVector<int64_t, 2> Capacity(Buffer.getShape());
  return {Buffer.getElementType(),
          {ShapedType::kDynamic, ShapedType::kDynamic},
          std::move(Capacity)};
}

LogicalResult DmaInOp::verify() {
  MemRefType Buffer = getDst().getType();
  if (Buffer.getRank() != 2)
    return emitOpError() << "fills a buffer of rows and columns (W4)";
  if (!getInset().empty() && (getInset().size() != 2 || !getPad()))
    return emitOpError() << "puts the window to " << getInset().size()
                         << " indices of a buffer (W7)";
  return verifyWindow(*this, getView().getType(), getStaticOffsets(),
                      getStaticSizes(), targetOf(Buffer));
}

LogicalResult DmaOutOp::verify() {
  MemRefType Buffer = getSrc().getType();
  if (Buffer.getRank() != 2)
    return emitOpError() << "reads a buffer of rows and columns (W4)";
  if (failed(verifyAtomic(*this, getCombine())))
    return failure();
  return verifyWindow(*this, getView().getType(), getStaticOffsets(),
                      getStaticSizes(), targetOf(Buffer));
}

/// Constraints (G1), (G3) and (G4) where indices are in a buffer.
static LogicalResult verifyIndexed(Operation *Op, MemRefType View,
                                   MemRefType Indices, MemRefType Buffer) {
  if (View.getRank() > 2)
    return Op->emitOpError() << "needs a view of rank 1 or 2 (G4)";
  if (View.getElementType() != Buffer.getElementType())
    return Op->emitOpError() << "moves " << View.getElementType() << " as "
                             << Buffer.getElementType() << " (G3)";
  if (!Indices.getElementType().isInteger(32) &&
      !Indices.getElementType().isInteger(64))
    return Op->emitOpError() << "has indices " << Indices << " (G1)";
  return success();
}

LogicalResult DmaGatherOp::verify() {
  return verifyIndexed(*this, getView().getType(), getIndices().getType(),
                       getDst().getType());
}

LogicalResult DmaScatterOp::verify() {
  if (failed(verifyAtomic(*this, getCombine())))
    return failure();
  return verifyIndexed(*this, getView().getType(), getIndices().getType(),
                       getSrc().getType());
}

//===----------------------------------------------------------------------===//
// Vector unit
//===----------------------------------------------------------------------===//

/// Constraint (V1).
static LogicalResult verifyElements(Operation *Op, ArrayRef<Type> Operands) {
  for (Type Operand : Operands)
    if (getElementTypeOrSelf(Operand) != getElementTypeOrSelf(Operands[0]))
      return Op->emitOpError()
             << "mixes elements of " << getElementTypeOrSelf(Operands[0])
             << " and " << getElementTypeOrSelf(Operand) << " (V1)";
  return success();
}

/// Elements that a buffer has space for.
static int64_t spaceOf(MemRefType Buffer) {
  return bytesOf(Buffer) * 8 / Buffer.getElementTypeBitWidth();
}

/// Constraint (V2).
static LogicalResult verifyCount(Operation *Op, Value Count,
                                 ArrayRef<MemRefType> Buffers) {
  APInt Constant;
  if (!matchPattern(Count, m_ConstantInt(&Constant)))
    return success();
  for (MemRefType Buffer : Buffers)
    if (Constant.isNegative() ||
        (!isSlice(Buffer) && Constant.getSExtValue() > spaceOf(Buffer)))
      return Op->emitOpError() << "works on " << Constant.getSExtValue()
                               << " elements of " << Buffer << " (V2)";
  return success();
}

LogicalResult VecUnaryOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  return success(succeeded(verifyElements(*this, {Src, Dst})) &&
                 succeeded(verifyCount(*this, getCount(), {Src, Dst})));
}

LogicalResult VecBinaryOp::verify() {
  MemRefType Lhs = getLhs().getType(), Rhs = getRhs().getType(),
             Dst = getDst().getType();
  return success(succeeded(verifyElements(*this, {Lhs, Rhs, Dst})) &&
                 succeeded(verifyCount(*this, getCount(), {Lhs, Rhs, Dst})));
}

LogicalResult VecScalarOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  return success(
      succeeded(verifyElements(*this, {Src, getScalar().getType(), Dst})) &&
      succeeded(verifyCount(*this, getCount(), {Src, Dst})));
}

LogicalResult VecFillOp::verify() {
  MemRefType Dst = getDst().getType();
  return success(
      succeeded(verifyElements(*this, {getValue().getType(), Dst})) &&
      succeeded(verifyCount(*this, getCount(), {Dst})));
}

LogicalResult VecCopyOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  return success(succeeded(verifyElements(*this, {Src, Dst})) &&
                 succeeded(verifyCount(*this, getCount(), {Src, Dst})));
}

LogicalResult VecCastOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  if (Src.getElementType() == Dst.getElementType())
    return emitOpError() << "converts " << Src.getElementType()
                         << " to itself (V3)";
  return verifyCount(*this, getCount(), {Src, Dst});
}

/// Constraint (V4).
static LogicalResult verifyMask(Operation *Op, MemRefType Mask) {
  if (Mask.getElementType().isInteger(1))
    return success();
  return Op->emitOpError() << "needs a mask of i1, not of "
                           << Mask.getElementType() << " (V4)";
}

LogicalResult VecCompareOp::verify() {
  MemRefType Lhs = getLhs().getType(), Rhs = getRhs().getType(),
             Dst = getDst().getType();
  return success(succeeded(verifyMask(*this, Dst)) &&
                 succeeded(verifyElements(*this, {Lhs, Rhs})) &&
                 succeeded(verifyCount(*this, getCount(), {Lhs, Rhs, Dst})));
}

LogicalResult VecSelectOp::verify() {
  MemRefType Mask = getMask().getType(), Lhs = getLhs().getType(),
             Rhs = getRhs().getType(), Dst = getDst().getType();
  return success(
      succeeded(verifyMask(*this, Mask)) &&
      succeeded(verifyElements(*this, {Lhs, Rhs, Dst})) &&
      succeeded(verifyCount(*this, getCount(), {Mask, Lhs, Rhs, Dst})));
}

LogicalResult VecReduceOp::verify() {
  return verifyElements(
      *this, {getSrc().getType(), getDst().getType(), getWork().getType()});
}

LogicalResult VecArgReduceOp::verify() {
  if (getCombine() != Combine::Max && getCombine() != Combine::Min)
    return emitOpError() << "finds the max or the min (R2)";
  if (!getDst().getType().getElementType().isInteger(32))
    return emitOpError() << "gives positions as i32, not as "
                         << getDst().getType().getElementType() << " (R3)";
  return verifyElements(*this, {getSrc().getType(), getWork().getType()});
}

LogicalResult VecExtremesOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  if (getCombine() != Combine::Max && getCombine() != Combine::Min)
    return emitOpError() << "looks for the 'max' or the 'min' (R2)";
  bool Fits = Src.getElementType().isF32() && Dst.getElementType().isF32() &&
              Src.getRank() == 2 && Src.getDimSize(1) <= 64 &&
              Dst.getNumElements() >= 2 * Src.getDimSize(0);
  if (!Fits)
    return emitOpError() << "cannot put two words for each row of " << Src
                         << " into " << Dst << " (R4)";
  return success();
}

LogicalResult VecPlacesOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  if (!Dst.getElementType().isInteger(32))
    return emitOpError() << "finds positions of i32, not "
                         << Dst.getElementType() << " (R3)";
  if (Src.getElementTypeBitWidth() != 32 ||
      Src.getNumElements() < 2 * Dst.getNumElements())
    return emitOpError() << "cannot find " << Dst << " in " << Src << " (R5)";
  return success();
}

LogicalResult VecScanOp::verify() {
  if (getAxis() == Axis::All)
    return emitOpError() << "goes along rows or columns, not over all (S3)";
  return verifyElements(*this, {getSrc().getType(), getDst().getType()});
}

LogicalResult VecTransposeOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  if (Src.getDimSize(0) != Dst.getDimSize(1) ||
      Src.getDimSize(1) != Dst.getDimSize(0))
    return emitOpError() << "cannot turn " << Src << " into " << Dst << " (T1)";
  return verifyElements(*this, {Src, Dst});
}

LogicalResult VecEveryOtherOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  unsigned Bits = Src.getElementTypeBitWidth();
  if (Bits != 16 && Bits != 32)
    return emitOpError() << "takes elements of 16 or 32 bits, not "
                         << Src.getElementType() << " (V1)";
  if (Src.getDimSize(1) < 2 * Dst.getDimSize(1))
    return emitOpError() << "cannot take " << Dst << " out of " << Src
                         << " (T2)";
  return verifyElements(*this, {Src, Dst});
}

/// Constraints (V1) and (K1) of what goes by index.
static LogicalResult verifyTaken(Operation *Op, MemRefType Src,
                                 MemRefType Indices, MemRefType Dst) {
  unsigned Bits = Src.getElementTypeBitWidth();
  if (Bits != 16 && Bits != 32)
    return Op->emitOpError() << "takes elements of 16 or 32 bits, not "
                             << Src.getElementType() << " (V1)";
  if (!Indices.getElementType().isInteger(32))
    return Op->emitOpError()
           << "goes by i32, not by " << Indices.getElementType() << " (K1)";
  return verifyElements(Op, {Src, Dst});
}

LogicalResult VecTakeOp::verify() {
  MemRefType Src = getSrc().getType(), Indices = getIndices().getType(),
             Dst = getDst().getType(), Work = getWork().getType();
  if (failed(verifyTaken(*this, Src, Indices, Dst)))
    return failure();
  bool Fits = Indices.getShape() == Dst.getShape() && Work == Indices &&
              pitchOf(Indices) == pitchOf(Dst) &&
              (!getByRow() || Src.getDimSize(0) == Dst.getDimSize(0));
  if (!Fits)
    return emitOpError() << "cannot take " << Dst << " out of " << Src << " by "
                         << Indices << " (K4)";
  return success();
}

LogicalResult VecGatherOp::verify() {
  MemRefType Src = getSrc().getType(), Offsets = getOffsets().getType(),
             Dst = getDst().getType();
  return success(succeeded(verifyTaken(*this, Src, Offsets, Dst)) &&
                 succeeded(verifyCount(*this, getCount(), {Offsets, Dst})));
}

LogicalResult VecIotaOp::verify() {
  MemRefType Dst = getDst().getType();
  return success(
      succeeded(verifyElements(*this, {getStart().getType(), Dst})) &&
      succeeded(verifyCount(*this, getCount(), {Dst})));
}

LogicalResult VecBroadcastOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  if (Src.getRank() != 2 || Dst.getRank() != 2)
    return emitOpError() << "works on rows and columns (B1)";
  for (unsigned I : {0, 1})
    if (Src.getDimSize(I) != 1 && Src.getDimSize(I) != Dst.getDimSize(I))
      return emitOpError() << "cannot fill " << Dst << " from " << Src
                           << " (B1)";
  SmallVector<Type, 3> Operands = {Src, Dst};
  if (Value Work = getWork())
    Operands.push_back(Work.getType());
  return verifyElements(*this, Operands);
}

LogicalResult VecSpreadOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType();
  if (failed(verifyElements(*this, {Src, Dst})))
    return failure();
  int64_t PerBlock = 256 / Src.getElementTypeBitWidth();
  auto Rows = static_cast<int64_t>(llvm::alignTo(Src.getDimSize(0), 8));
  if (Src.getRank() != 2 || Src.getDimSize(1) != 1 ||
      Dst.getNumElements() < Rows * PerBlock)
    return emitOpError() << "cannot give the rows of " << Src
                         << " a block each in " << Dst << " (B3)";
  return success();
}

static bool isRepeatable(Binary Kind) {
  return Kind == Binary::Add || Kind == Binary::Sub || Kind == Binary::Mul ||
         Kind == Binary::Div || Kind == Binary::Max || Kind == Binary::Min;
}

LogicalResult VecRepeatedOp::verify() {
  MemRefType Src = getSrc().getType(), Dst = getDst().getType(),
             Repeated = getRepeated().getType();
  if (failed(verifyElements(*this, {Src, Repeated, Dst})))
    return failure();
  if (!isRepeatable(getKind()))
    return emitOpError() << "knows no '" << stringifyBinary(getKind())
                         << "' with what is repeated (B5)";
  int64_t PerBlock = 256 / Src.getElementTypeBitWidth();
  int64_t Needed = 0;
  if (getAxis() == Axis::Row)
    Needed = Src.getDimSize(1);
  else if (getAxis() == Axis::Col)
    Needed = Src.getDimSize(0) * PerBlock;
  SmallVector<int64_t> Strides;
  int64_t Offset;
  bool Fits = Src == Dst && Src.getRank() == 2 && Needed &&
              Repeated.getNumElements() >= Needed &&
              succeeded(Src.getStridesAndOffset(Strides, Offset)) &&
              Strides[0] % PerBlock == 0 && Strides[0] / PerBlock <= 255;
  if (!Fits)
    return emitOpError() << "cannot repeat " << Repeated << " in " << Src
                         << " (B4)";
  return success();
}

//===----------------------------------------------------------------------===//
// Scalar unit and order
//===----------------------------------------------------------------------===//

LogicalResult ReadScalarOp::verify() {
  return verifyElements(*this, {getSrc().getType(), getValue().getType()});
}

LogicalResult WriteScalarOp::verify() {
  return verifyElements(*this, {getValue().getType(), getDst().getType()});
}

template <typename FlagOp> static LogicalResult verifyFlag(FlagOp Op) {
  if (Op.getFrom() == Op.getTo())
    return Op.emitOpError() << "orders " << stringifyPipe(Op.getFrom())
                            << " with itself; use ascend.barrier (F1)";
  if (static_cast<int64_t>(Op.getEvent()) < 0)
    return Op.emitOpError() << "has a negative event (F2)";
  if (isBetweenCores(Op.getFrom(), Op.getTo()) && !isScalar(Op.getTo()))
    return Op.emitOpError() << "is awaited by " << stringifyPipe(Op.getTo())
                            << " of another core, where only the scalar unit "
                               "can wait (F3)";
  return success();
}

LogicalResult FlagSetOp::verify() { return verifyFlag(*this); }
LogicalResult FlagWaitOp::verify() { return verifyFlag(*this); }
