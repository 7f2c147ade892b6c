//===- PromoteTypes.cpp - Elements without instructions -------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vector unit does not compute with every type that it can copy. bfloat16
// is computed as float and rounded once for each operation, as the host twin
// does it; so is what the scalar unit does with half. Bytes are compared,
// chosen and repeated as half, which has all their values. What would not be
// exact in another type is refused, at its line.
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

static Type elementOf(Type Tile) {
  return cast<RankedTensorType>(Tile).getElementType();
}

static bool isConversion(Operation *Op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::FPToSIOp,
             arith::ExtSIOp, arith::TruncIOp>(Op);
}

/// Whether an operation computes with the elements of its tiles.
static bool computes(Operation *Op) {
  if (isConversion(Op) || isa<arith::ConstantOp>(Op))
    return false;
  return isa<ReduceOp, ScanOp, ArgReduceOp>(Op) ||
         Op->hasTrait<OpTrait::Elementwise>();
}

static bool needsFloat(Operation *Op, Type Element) {
  if (Element.isBF16())
    return true;
  auto Reduce = dyn_cast<ReduceOp>(Op);
  bool ByScalarUnit =
      isa<ScanOp>(Op) || (Reduce && Reduce.getCombine() == Combine::Prod);
  // Rounded as integers, which half has no conversion for.
  bool Rounds =
      isa<math::RoundEvenOp, math::RoundOp>(Op) && !isRoundedByCast(*Op);
  return Element.isF16() && (ByScalarUnit || Rounds);
}

/// Whether an operation on bytes is exact as one on half: what comes out is one
/// of the bytes that go in, or a truth.
static bool isExactAsHalf(Operation *Op) {
  if (auto Reduce = dyn_cast<ReduceOp>(Op))
    return Reduce.getCombine() == Combine::Max ||
           Reduce.getCombine() == Combine::Min;
  // A row is repeated by copies of any type.
  if (auto Broadcast = dyn_cast<BroadcastOp>(Op))
    return getCapacity(Broadcast.getSource().getType()).getCols() == 1;
  return isa<ArgReduceOp, arith::MaxSIOp, arith::MinSIOp, arith::SelectOp,
             arith::CmpIOp>(Op);
}

static bool isOfBytes(Operation *Op) {
  return llvm::any_of(Op->getOperandTypes(), [](Type Type) {
    return isTile(Type) && elementOf(Type).isInteger(8);
  });
}

/// Integers that the vector unit has no arithmetic for.
LogicalResult TileLowering::checkElements(Operation *Op) {
  for (Type Type : Op->getOperandTypes()) {
    if (!isTile(Type))
      continue;
    auto Integer = dyn_cast<IntegerType>(elementOf(Type));
    if (!Integer || Integer.getWidth() == 1 || Integer.getWidth() == 16 ||
        Integer.getWidth() == 32 ||
        isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(Op) ||
        (Integer.getWidth() == 8 && isExactAsHalf(Op)))
      continue;
    return Op->emitError() << "the vector unit does not compute with i"
                           << Integer.getWidth()
                           << "; convert to i32 or to half before, and back "
                              "after it";
  }
  return success();
}

void TileLowering::promote(Operation *Op) {
  Builder.setInsertionPoint(Op);
  Location Loc = unnamed(Op->getLoc());
  Type Float = Builder.getF32Type();
  auto AsFloat = [&](Type Tile) {
    return cast<RankedTensorType>(Tile).clone(Float);
  };
  for (OpOperand &Operand : Op->getOpOperands()) {
    Type Type = Operand.get().getType();
    if (!isTile(Type) || !isa<FloatType>(elementOf(Type)))
      continue;
    if (auto Splat = Operand.get().getDefiningOp<SplatOp>()) {
      Value Scalar =
          arith::ExtFOp::create(Builder, Loc, Float, Splat.getValue());
      Operand.set(SplatOp::create(Builder, Loc, AsFloat(Type), Scalar,
                                  Splat.getSizes()));
      continue;
    }
    Operand.set(
        arith::ExtFOp::create(Builder, Loc, AsFloat(Type), Operand.get()));
  }
  Builder.setInsertionPointAfter(Op);
  for (Value Result : Op->getResults()) {
    Type Type = Result.getType();
    if (!isTile(Type) || !isa<FloatType>(elementOf(Type)))
      continue;
    Result.setType(AsFloat(Type));
    auto Back = arith::TruncFOp::create(Builder, Op->getLoc(), Type, Result);
    Result.replaceAllUsesExcept(Back, Back);
  }
}

//===----------------------------------------------------------------------===//
// Bytes as half
//===----------------------------------------------------------------------===//

static arith::CmpFPredicate asFloat(arith::CmpIPredicate Predicate) {
  switch (Predicate) {
  case arith::CmpIPredicate::eq:
    return arith::CmpFPredicate::OEQ;
  case arith::CmpIPredicate::ne:
    return arith::CmpFPredicate::UNE;
  case arith::CmpIPredicate::slt:
    return arith::CmpFPredicate::OLT;
  case arith::CmpIPredicate::sle:
    return arith::CmpFPredicate::OLE;
  case arith::CmpIPredicate::sgt:
    return arith::CmpFPredicate::OGT;
  case arith::CmpIPredicate::sge:
    return arith::CmpFPredicate::OGE;
  default:
    llvm_unreachable("integers of tiles have signs");
  }
}

/// The bytes of a tile as half.
static Value asHalf(Value Bytes, OpBuilder &Builder, Location Loc) {
  if (!isTile(Bytes.getType()) || !elementOf(Bytes.getType()).isInteger(8))
    return Bytes;
  Type Half = Builder.getF16Type();
  Type Tile = cast<RankedTensorType>(Bytes.getType()).clone(Half);
  auto Splat = Bytes.getDefiningOp<SplatOp>();
  if (!Splat)
    return arith::SIToFPOp::create(Builder, Loc, Tile, Bytes);
  Value Scalar = arith::SIToFPOp::create(Builder, Loc, Half, Splat.getValue());
  return SplatOp::create(Builder, Loc, Tile, Scalar, Splat.getSizes());
}

static void promoteBytes(Operation *Op, OpBuilder &Builder) {
  Builder.setInsertionPoint(Op);
  Location Loc = unnamed(Op->getLoc());
  SmallVector<Value> Operands;
  for (Value Operand : Op->getOperands())
    Operands.push_back(asHalf(Operand, Builder, Loc));
  Value New;
  if (auto Compare = dyn_cast<arith::CmpIOp>(Op)) {
    New = arith::CmpFOp::create(Builder, Op->getLoc(),
                                asFloat(Compare.getPredicate()), Operands[0],
                                Operands[1]);
  } else if (isa<arith::MaxSIOp>(Op)) {
    New = arith::MaxNumFOp::create(Builder, Loc, Operands[0], Operands[1]);
  } else if (isa<arith::MinSIOp>(Op)) {
    New = arith::MinNumFOp::create(Builder, Loc, Operands[0], Operands[1]);
  } else {
    Operation *Clone = Builder.clone(*Op);
    Clone->setOperands(Operands);
    New = Clone->getResult(0);
    auto Tile = cast<RankedTensorType>(New.getType());
    if (Tile.getElementType().isInteger(8))
      New.setType(Tile.clone(Builder.getF16Type()));
  }
  Type Wanted = Op->getResult(0).getType();
  if (New.getType() != Wanted)
    New = arith::FPToSIOp::create(Builder, Op->getLoc(), Wanted, New);
  Op->getResult(0).replaceAllUsesWith(New);
  Op->erase();
}

//===----------------------------------------------------------------------===//
// What is filled and counted
//===----------------------------------------------------------------------===//

static std::optional<int64_t> constantOf(Value Scalar) {
  APInt Constant;
  if (!matchPattern(Scalar, m_ConstantInt(&Constant)))
    return std::nullopt;
  return Constant.getSExtValue();
}

/// A constant of another integer type.
static Value makeConstant(int64_t Number, Type Type, OpBuilder &Builder,
                          Location Loc) {
  return arith::ConstantOp::create(Builder, Loc,
                                   Builder.getIntegerAttr(Type, Number));
}

/// i64 is filled in halves of 32 bits, or made of i32.
static LogicalResult legalise(SplatOp Splat, OpBuilder &Builder) {
  RankedTensorType Tile = Splat.getTile().getType();
  if (!Tile.getElementType().isInteger(64))
    return success();
  std::optional<int64_t> Number = constantOf(Splat.getValue());
  if (Number && (*Number == 0 || *Number == -1))
    return success();
  if (!Number || !llvm::isInt<32>(*Number))
    return Splat.emitError("the vector unit fills no tile with an i64 that is "
                           "not a constant of 32 bits; make one of i32 and "
                           "cast it");
  Builder.setInsertionPoint(Splat);
  Location Loc = unnamed(Splat.getLoc());
  Type Narrow = Builder.getI32Type();
  Value Filled = SplatOp::create(Builder, Loc, Tile.clone(Narrow),
                                 makeConstant(*Number, Narrow, Builder, Loc),
                                 Splat.getSizes());
  Value Wide = arith::ExtSIOp::create(Builder, Splat.getLoc(), Tile, Filled);
  Splat.getTile().replaceAllUsesWith(Wide);
  Splat.erase();
  return success();
}

/// What counts in i8 and i64 counts in i16 and i32, as far as these hold it.
static LogicalResult legalise(IotaOp Iota, OpBuilder &Builder) {
  RankedTensorType Tile = Iota.getTile().getType();
  unsigned Width = Tile.getElementTypeBitWidth();
  if (Width != 8 && Width != 64)
    return success();
  CapacityAttr Capacity = getCapacity(Tile);
  int64_t Most =
      Iota.getAxis() == Axis::Row ? Capacity.getCols() : Capacity.getRows();
  std::optional<int64_t> First = constantOf(Iota.getStart());
  int64_t Last = First && llvm::isInt<32>(*First) ? *First + Most - 1 : 0;
  unsigned Holds = std::min(Width, 32u);
  if (!First || !llvm::isIntN(Holds, *First) || !llvm::isIntN(Holds, Last))
    return Iota.emitError() << "the vector unit does not count in i" << Width
                            << ", and these numbers may not fit in " << Holds
                            << " bits; count in i32 and cast";
  Builder.setInsertionPoint(Iota);
  Location Loc = unnamed(Iota.getLoc());
  Type Counted = Builder.getIntegerType(Width == 8 ? 16 : 32);
  Value Numbers = IotaOp::create(
      Builder, Loc, Tile.clone(Counted), Iota.getAxis(),
      makeConstant(*First, Counted, Builder, Loc), Iota.getSizes());
  Value Result = Width == 8
                     ? Value(arith::TruncIOp::create(Builder, Iota.getLoc(),
                                                     Tile, Numbers))
                     : Value(arith::ExtSIOp::create(Builder, Iota.getLoc(),
                                                    Tile, Numbers));
  Iota.getTile().replaceAllUsesWith(Result);
  Iota.erase();
  return success();
}

/// A copy pads i64 with nothing but 0.
static LogicalResult legalise(LoadOp Load) {
  Value Pad = Load.getPad();
  if (!Pad || !Pad.getType().isInteger(64) || constantOf(Pad) == 0)
    return success();
  return Load.emitError("a load of i64 is padded with 0 or not at all here; "
                        "load i32, or select by an iota after the load");
}

/// What makes tiles without computing with their elements.
LogicalResult TileLowering::legaliseMakers() {
  SmallVector<Operation *> Makers;
  Kernel.walk([&](Operation *Op) {
    if (isa<LoadOp>(Op) || (!Arch.vectorRegister && isa<SplatOp, IotaOp>(Op)))
      Makers.push_back(Op);
  });
  for (Operation *Op : Makers) {
    LogicalResult Done = success();
    if (auto Splat = dyn_cast<SplatOp>(Op))
      Done = legalise(Splat, Builder);
    else if (auto Iota = dyn_cast<IotaOp>(Op))
      Done = legalise(Iota, Builder);
    else
      Done = legalise(cast<LoadOp>(Op));
    if (failed(Done))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

LogicalResult TileLowering::promote() {
  if (failed(legaliseMakers()))
    return failure();
  SmallVector<Operation *> Narrow, Bytes;
  WalkResult Known = Kernel.walk([&](Operation *Op) {
    for (Type Type : Op->getResultTypes())
      if (isTile(Type) && elementOf(Type).isBF16() && !Arch.hasBf16) {
        Op->emitError("this architecture has no bfloat16; use half or float");
        return WalkResult::interrupt();
      }
    // No architecture reduces bytes along rows with the vector unit.
    bool IsMissing = !Arch.vectorRegister || isa<ReduceOp, ArgReduceOp>(Op);
    if (IsMissing && isOfBytes(Op) && isExactAsHalf(Op))
      Bytes.push_back(Op);
    if (!computes(Op))
      return WalkResult::advance();
    if (!Arch.vectorRegister && failed(checkElements(Op)))
      return WalkResult::interrupt();
    for (Type Type : Op->getOperandTypes())
      if (isTile(Type) && needsFloat(Op, elementOf(Type))) {
        Narrow.push_back(Op);
        break;
      }
    return WalkResult::advance();
  });
  for (Operation *Op : Narrow)
    promote(Op);
  for (Operation *Op : Bytes)
    promoteBytes(Op, Builder);
  return failure(Known.wasInterrupted());
}
