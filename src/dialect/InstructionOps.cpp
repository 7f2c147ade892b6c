//===- InstructionOps.cpp - Single instructions ---------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Ascend.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace belay::ascend;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

void SliceOp::build(OpBuilder &Builder, OperationState &State, Value Source,
                    ArrayRef<OpFoldResult> Offsets, Type Element) {
  auto Buffer = cast<MemRefType>(Source.getType());
  SmallVector<Value> Dynamic;
  SmallVector<int64_t> Static;
  dispatchIndexOpFoldResults(Offsets, Dynamic, Static);
  build(Builder, State,
        getSliceType(Element ? Element : Buffer.getElementType(),
                     *getSpace(Buffer)),
        Source, Dynamic, Static);
}

Value SliceOp::getViewSource() { return getSource(); }

LogicalResult SliceOp::verify() {
  MemRefType Source = getSource().getType();
  ArrayRef<int64_t> Offsets = getStaticOffsets();
  if (Source.getRank() != 2 || Offsets.size() != 2)
    return emitOpError() << "needs a row and a column of a buffer (L1)";
  if (!isSlice(getType()) || getSpace(getType()) != getSpace(Source))
    return emitOpError() << "cannot be " << getType() << " (L2)";
  for (auto [Offset, Extent] : llvm::zip_equal(Offsets, Source.getShape()))
    if (!ShapedType::isDynamic(Offset) && (Offset < 0 || Offset >= Extent))
      return emitOpError() << "begins at " << Offset << " of " << Extent
                           << " (L3)";
  return success();
}

//===----------------------------------------------------------------------===//
// Repeats
//===----------------------------------------------------------------------===//

static constexpr int64_t RepeatBits = 256 * 8, MostRepeats = 255,
                         MostStride = 255;

static Type elementOf(Value Operand) {
  return getElementTypeOrSelf(Operand.getType());
}

/// Constraint (P1).
static LogicalResult verifyElements(Operation *Op, ArrayRef<Value> Operands) {
  for (Value Operand : Operands)
    if (elementOf(Operand) != elementOf(Operands[0]))
      return Op->emitOpError() << "mixes elements of " << elementOf(Operands[0])
                               << " and " << elementOf(Operand) << " (P1)";
  return success();
}

static LogicalResult verifyRange(Operation *Op, Value Field, StringRef Name,
                                 int64_t Least, int64_t Most, StringRef Tag) {
  APInt Constant;
  if (!matchPattern(Field, m_ConstantInt(&Constant)))
    return success();
  int64_t Number = Constant.getSExtValue();
  if (Number < Least || Number > Most)
    return Op->emitOpError() << "has a " << Name << " of " << Number << ", not "
                             << Least << " to " << Most << " (" << Tag << ")";
  return success();
}

/// Constraints (P2) and (P3).
static LogicalResult verifyFields(Operation *Op, Value Mask, Value Repeat,
                                  Value Operand) {
  int64_t Lanes = RepeatBits / elementOf(Operand).getIntOrFloatBitWidth();
  if (Mask && failed(verifyRange(Op, Mask, "mask", 1, Lanes, "P2")))
    return failure();
  return verifyRange(Op, Repeat, "repeat", 0, MostRepeats, "P3");
}

/// Constraint (P4).
static LogicalResult verifyStrides(Operation *Op, ArrayRef<int64_t> Strides,
                                   size_t Operands) {
  bool InRange = llvm::all_of(Strides, [](int64_t Stride) {
    return Stride >= 0 && Stride <= MostStride;
  });
  if (Strides.size() != Operands || !InRange)
    return Op->emitOpError() << "needs " << Operands << " strides of 0 to "
                             << MostStride << " (P4)";
  return success();
}

/// Constraint (P5).
static LogicalResult verifyWidth(Operation *Op, Value Operand,
                                 ArrayRef<unsigned> Bits) {
  if (llvm::is_contained(Bits, elementOf(Operand).getIntOrFloatBitWidth()))
    return success();
  return Op->emitOpError() << "has no form for " << elementOf(Operand)
                           << " (P5)";
}

/// Constraint (P6).
static LogicalResult verifyCombine(Operation *Op, Combine Combine, bool Places,
                                   Value Operand) {
  Type Element = elementOf(Operand);
  if ((!Element.isF16() && !Element.isF32()) || Combine == Combine::Prod ||
      (Places && Combine == Combine::Sum))
    return Op->emitOpError() << "has no '" << stringifyCombine(Combine)
                             << "' of " << Element << " (P6)";
  return success();
}

LogicalResult RepBinaryOp::verify() {
  return success(
      succeeded(verifyElements(*this, {getLhs(), getRhs(), getDst()})) &&
      succeeded(verifyFields(*this, getMask(), getRepeat(), getDst())) &&
      succeeded(verifyStrides(*this, getBlocks(), 3)) &&
      succeeded(verifyStrides(*this, getRows(), 3)));
}

LogicalResult RepScalarOp::verify() {
  return success(
      succeeded(verifyElements(*this, {getSrc(), getScalar(), getDst()})) &&
      succeeded(verifyFields(*this, getMask(), getRepeat(), getDst())) &&
      succeeded(verifyStrides(*this, getBlocks(), 2)) &&
      succeeded(verifyStrides(*this, getRows(), 2)));
}

LogicalResult RepCopyOp::verify() {
  return success(
      succeeded(verifyElements(*this, {getSrc(), getDst()})) &&
      succeeded(verifyWidth(*this, getDst(), {16, 32})) &&
      succeeded(verifyFields(*this, getMask(), getRepeat(), getDst())) &&
      succeeded(verifyStrides(*this, getBlocks(), 2)) &&
      succeeded(verifyStrides(*this, getRows(), 2)));
}

LogicalResult RepReduceOp::verify() {
  return success(
      succeeded(verifyElements(*this, {getSrc(), getDst()})) &&
      succeeded(verifyCombine(*this, getCombine(), getPlaces(), getSrc())) &&
      succeeded(verifyFields(*this, getMask(), getRepeat(), getSrc())) &&
      succeeded(verifyStrides(*this, {static_cast<int64_t>(getRow())}, 1)));
}

LogicalResult RepBlockReduceOp::verify() {
  return success(succeeded(verifyElements(*this, {getSrc(), getDst()})) &&
                 succeeded(verifyCombine(*this, getCombine(), /*Places=*/false,
                                         getSrc())) &&
                 succeeded(verifyFields(*this, {}, getRepeat(), getSrc())));
}

LogicalResult RepBrcbOp::verify() {
  return success(succeeded(verifyElements(*this, {getSrc(), getDst()})) &&
                 succeeded(verifyWidth(*this, getSrc(), {16, 32})) &&
                 succeeded(verifyFields(*this, {}, getRepeat(), getSrc())));
}

LogicalResult RepEveryOtherOp::verify() {
  return success(succeeded(verifyElements(*this, {getSrc(), getDst()})) &&
                 succeeded(verifyWidth(*this, getSrc(), {16, 32})));
}

LogicalResult RepTransposeOp::verify() {
  int64_t Block = 256 / elementOf(getSrc()).getIntOrFloatBitWidth();
  if (getSrcPitch() % Block || getDstPitch() % Block)
    return emitOpError() << "has pitches of " << getSrcPitch() << " and "
                         << getDstPitch() << ", which are no whole blocks (P7)";
  return success(succeeded(verifyElements(*this, {getSrc(), getDst()})) &&
                 succeeded(verifyWidth(*this, getSrc(), {16, 32})) &&
                 succeeded(verifyFields(*this, {}, getRepeat(), getSrc())));
}

//===----------------------------------------------------------------------===//
// Functions of the vendor's library
//===----------------------------------------------------------------------===//

LogicalResult LibReduceOp::verify() {
  return success(
      succeeded(verifyElements(*this, {getSrc(), getDst(), getWork()})) &&
      succeeded(verifyCombine(*this, getCombine(), getPlace(), getSrc())) &&
      succeeded(verifyRange(*this, getCount(), "count", 1, INT32_MAX, "P8")));
}
