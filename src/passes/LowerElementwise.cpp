//===- LowerElementwise.cpp - What operations on tiles become -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"
#include "passes/expand/GlobalMemory.h"
#include "passes/expand/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Says of a number what has been proven of it, for those who look at
/// instructions alone: that it is at most a constant.
static OpFoldResult atMost(OpBuilder &Builder, Location Loc,
                           OpFoldResult Number, int64_t Most) {
  auto Open = dyn_cast<Value>(Number);
  if (!Open || getConstantIntValue(Number))
    return Number;
  if (auto Min = Open.getDefiningOp<arith::MinSIOp>())
    if (auto Known = getConstantIntValue(Min.getRhs()); Known && *Known <= Most)
      return Number;
  Value Limit = arith::ConstantIndexOp::create(Builder, Loc, Most);
  return arith::MinSIOp::create(Builder, Loc, Open, Limit).getResult();
}

LogicalResult TileLowering::lower(LoadOp Op) {
  RankedTensorType Type = Op.getTile().getType();
  Location Loc = Op.getLoc();
  Value Dst = destinationFor(Op.getTile());
  SmallVector<OpFoldResult> Sizes = Op.getMixedSizes();
  Tile Tile{Type, Dst, {}, {}, {}};
  if (Op.getPad()) {
    ValueRange Open = Op.getExtents();
    auto Extent = [&](unsigned Dim) -> OpFoldResult {
      if (!Type.isDynamicDim(Dim))
        return Builder.getIndexAttr(Type.getDimSize(Dim));
      CapacityAttr Most = getCapacity(Type);
      OpFoldResult Next = atMost(Builder, Loc, Open.front(),
                                 Dim == 0 ? Most.getRows() : Most.getCols());
      Open = Open.drop_front();
      return Next;
    };
    Tile.Rows = Extent(0);
    Tile.Cols = Extent(1);
  } else {
    bool OneColumn = getCapacity(Type).getCols() == 1;
    OpFoldResult One = Builder.getIndexAttr(1);
    Tile.Cols = Sizes.size() > 1 || !OneColumn ? Sizes.back() : One;
    Tile.Rows = Sizes.size() > 1 ? Sizes[Sizes.size() - 2]
                : OneColumn      ? Sizes.back()
                                 : One;
  }
  if (!lowerStrided(Op, Tile))
    DmaInOp::create(Builder, Loc, Op.getView(), Op.getOffsets(), Op.getSizes(),
                    Dst, Op.getPad(), Op.getInset(), Op.getStaticOffsets(),
                    Op.getStaticSizes());
  setTile(Op.getTile(), Tile);
  return success();
}

/// Whether elements that are neighbours in a buffer are neighbours in a view.
static bool liesSideBySide(Value View, MemRefType Buffer) {
  return staticStride(View, lineDimension(View, Buffer)) == 1;
}

/// Some blocks, for elements that are copied one by one: whole repeats of the
/// instruction that fills them, and no more than elements of a line ask for.
/// Each part of a line that they take begins with a block of the buffer.
Value TileLowering::makeBlocks(Location Loc, Type Element, int64_t Elements) {
  constexpr int64_t MostRepeats = 8;
  int64_t Repeat = Arch.blocksPerRepeat();
  int64_t InBlock = Arch.blockBytes * 8 / Element.getIntOrFloatBitWidth();
  int64_t Blocks = llvm::alignTo(Elements, std::max(Repeat, InBlock));
  return makeWork(Loc, Element, std::min(Blocks, MostRepeats * Repeat),
                  InBlock);
}

/// One block, for the end of a row.
Value TileLowering::makeBlock(Location Loc, Type Element) {
  return makeWork(Loc, Element, 1,
                  Arch.blockBytes * 8 / Element.getIntOrFloatBitWidth());
}

LogicalResult TileLowering::checkAtomic(Operation *Op, Type Element,
                                        std::optional<Combine> Combine) {
  if (!Combine || hasAtomic(Arch, *Combine, Element))
    return success();
  return Op->emitOpError() << "combines " << Element << " by "
                           << stringifyCombine(*Combine) << ", for which "
                           << Arch.name << " has no atomic copies";
}

LogicalResult TileLowering::lower(StoreOp Op) {
  Value Src = bufferOf(Op.getTile());
  auto Buffer = cast<MemRefType>(Src.getType());
  if (failed(checkAtomic(Op, Buffer.getElementType(), Op.getCombine())))
    return failure();
  SmallVector<OpFoldResult> Sizes = Op.getMixedSizes();
  bool SideBySide = liesSideBySide(Op.getView(), Buffer);
  Value Work;
  if (!Arch.copiesWholeBlocks() && !SideBySide)
    Work = makeBlocks(Op.getLoc(), Buffer.getElementType(),
                      Buffer.getDimSize(Buffer.getDimSize(1) == 1 ? 0 : 1));
  if (Arch.copiesWholeBlocks() && SideBySide &&
      mayEndInsideBlock(
          Arch, Buffer,
          getConstantIntValue(Sizes[lineDimension(Op.getView(), Buffer)])))
    Work = makeBlock(Op.getLoc(), Buffer.getElementType());
  DmaOutOp::create(Builder, Op.getLoc(), Src, Op.getView(), Op.getOffsets(),
                   Op.getSizes(), Work, Op.getStaticOffsets(),
                   Op.getStaticSizes(), Op.getCombineAttr());
  return success();
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// Whether a function is made of several instructions, which need space.
static bool isLibraryFunction(Unary Kind) {
  switch (Kind) {
  case Unary::Tanh:
  case Unary::Erf:
  case Unary::Sin:
  case Unary::Cos:
  case Unary::Floor:
  case Unary::Ceil:
  case Unary::Round:
  case Unary::Trunc:
    return true;
  default:
    return false;
  }
}

/// Space for AscendC's mathematical functions: more than the least that each
/// of them asks for. They work in parts if it is not enough for all.
static constexpr int64_t LibraryBytes = 8192;

LogicalResult TileLowering::lowerUnary(Operation &Op, Unary Kind) {
  Value Src = bufferOf(Op.getOperand(0));
  Tile Tile = tileOf(Op.getOperand(0));
  Tile.Splat = {};
  Tile.Buffer = destinationFor(Op.getResult(0));
  Value Work;
  if (isLibraryFunction(Kind)) {
    Type Element = Tile.Type.getElementType();
    Work = makeWork(Op.getLoc(), Element, 1,
                    LibraryBytes * 8 / Element.getIntOrFloatBitWidth());
  }
  VecUnaryOp::create(Builder, Op.getLoc(), Kind, Src, Tile.Buffer,
                     countOf(Op.getLoc(), Tile), Work);
  setTile(Op.getResult(0), Tile);
  return success();
}

/// Whether a vector instruction takes this one with a scalar.
static bool hasScalarForm(Binary Kind) {
  return Kind == Binary::Add || Kind == Binary::Mul || Kind == Binary::Max ||
         Kind == Binary::Min || Kind == Binary::Shl || Kind == Binary::Shr;
}

static bool isShift(Binary Kind) {
  return Kind == Binary::Shl || Kind == Binary::Shr;
}

LogicalResult TileLowering::lowerBinary(Operation &Op, Binary Kind) {
  if (lowerRepeated(Op, Kind))
    return success();
  Location Loc = Op.getLoc();
  Value Lhs = Op.getOperand(0), Rhs = Op.getOperand(1);
  // A number minus x would need x's negative as well.
  Value Scalar = tileOf(Rhs).Splat;
  if (isShift(Kind) && !Arch.hasVectorShift)
    return Op.emitOpError("shifts, for which this architecture has no "
                          "instruction; ")
           << (Kind == Binary::Shl
                   ? "multiply by a power of two instead"
                   : "numbers of up to 24 bits can be multiplied by a power "
                     "of two as float, and rounded down");
  if (isShift(Kind) && !Scalar)
    return Op.emitOpError("requires a uniform shift amount");
  if (hasScalarForm(Kind) && !Scalar && tileOf(Lhs).Splat) {
    std::swap(Lhs, Rhs);
    Scalar = tileOf(Rhs).Splat;
  }
  bool Negate =
      Kind == Binary::Sub && Scalar && isa<FloatType>(Scalar.getType());
  if (Negate) {
    Scalar = arith::NegFOp::create(Builder, unnamed(Loc), Scalar);
    Kind = Binary::Add;
  }
  bool UseScalar = Scalar && hasScalarForm(Kind);
  Value Src = bufferOf(Lhs);
  Tile Tile = tileOf(Lhs);
  Tile.Splat = {};
  Value Second = UseScalar ? Value() : bufferOf(Rhs);
  Tile.Buffer = destinationFor(Op.getResult(0));
  Value Count = countOf(Loc, Tile);
  Type Element = Tile.Type.getElementType();
  Value Work;
  if (Kind == Binary::Power)
    Work = makeWork(Loc, Element, 1,
                    LibraryBytes * 8 / Element.getIntOrFloatBitWidth());
  if (UseScalar)
    VecScalarOp::create(Builder, Loc, Kind, Src, Scalar, Tile.Buffer, Count);
  else
    VecBinaryOp::create(Builder, Loc, Kind, Src, Second, Tile.Buffer, Count,
                        Work);
  setTile(Op.getResult(0), Tile);
  return success();
}

/// Either but not both; or, with all bits set, the opposite.
LogicalResult TileLowering::lowerXor(Operation &Op) {
  Location Loc = Op.getLoc();
  Value Opposite = tileOf(Op.getOperand(1)).Splat;
  APInt Bits;
  if (Opposite && matchPattern(Opposite, m_ConstantInt(&Bits)) &&
      Bits.isAllOnes())
    return lowerUnary(Op, Unary::Not);
  Value Lhs = bufferOf(Op.getOperand(0)), Rhs = bufferOf(Op.getOperand(1));
  Tile Tile = tileOf(Op.getOperand(0));
  Tile.Splat = {};
  Value Count = countOf(Loc, Tile);
  auto Type = cast<MemRefType>(Lhs.getType());
  Value Either = makeBuffer(unnamed(Loc), Type);
  Value Both = makeBuffer(unnamed(Loc), Type);
  VecBinaryOp::create(Builder, Loc, Binary::Or, Lhs, Rhs, Either, Count);
  VecBinaryOp::create(Builder, Loc, Binary::And, Lhs, Rhs, Both, Count);
  VecUnaryOp::create(Builder, Loc, Unary::Not, Both, Both, Count, Value());
  Tile.Buffer = destinationFor(Op.getResult(0));
  VecBinaryOp::create(Builder, Loc, Binary::And, Either, Both, Tile.Buffer,
                      Count);
  setTile(Op.getResult(0), Tile);
  return success();
}

LogicalResult TileLowering::lowerNegate(Operation &Op) {
  Location Loc = Op.getLoc();
  Value Src = bufferOf(Op.getOperand(0));
  Tile Tile = tileOf(Op.getOperand(0));
  Tile.Splat = {};
  Tile.Buffer = destinationFor(Op.getResult(0));
  Type Element = Tile.Type.getElementType();
  Value MinusOne = arith::ConstantOp::create(
      Builder, Loc, Builder.getFloatAttr(Element, -1.0));
  VecScalarOp::create(Builder, Loc, Binary::Mul, Src, MinusOne, Tile.Buffer,
                      countOf(Loc, Tile));
  setTile(Op.getResult(0), Tile);
  return success();
}

/// Integers are compared by what tells them apart, as a float of their width
/// next to zero: a - b for equality, max(a, b) - a for a < b. Both are 0 or
/// not, also where the difference wraps, and a float keeps that.
std::pair<Value, Value> TileLowering::compareIntegers(Operation &Op, Value Lhs,
                                                      Value Rhs, Value Count,
                                                      Compare &Kind) {
  Location Loc = unnamed(Op.getLoc());
  auto Integers = cast<MemRefType>(Lhs.getType());
  bool Narrow = Integers.getElementType().isInteger(16);
  FloatType Float = Narrow ? FloatType(Builder.getF16Type())
                           : FloatType(Builder.getF32Type());
  auto Floats =
      MemRefType::get(Integers.getShape(), Float, Integers.getLayout(),
                      Integers.getMemorySpace());
  if (Kind == Compare::GT || Kind == Compare::LE) {
    std::swap(Lhs, Rhs);
    Kind = Kind == Compare::GT ? Compare::LT : Compare::GE;
  }
  Value Apart = makeBuffer(Loc, Integers);
  if (Kind == Compare::EQ || Kind == Compare::NE) {
    VecBinaryOp::create(Builder, Loc, Binary::Sub, Lhs, Rhs, Apart, Count);
  } else {
    VecBinaryOp::create(Builder, Loc, Binary::Max, Lhs, Rhs, Apart, Count);
    VecBinaryOp::create(Builder, Loc, Binary::Sub, Apart, Lhs, Apart, Count);
    Kind = Kind == Compare::LT ? Compare::NE : Compare::EQ;
  }
  Value Size = makeBuffer(Loc, Floats), Zero = makeBuffer(Loc, Floats);
  VecCastOp::create(Builder, Loc, Narrow ? Round::None : Round::Rint, Apart,
                    Size, Count);
  Value None =
      arith::ConstantOp::create(Builder, Loc, Builder.getFloatAttr(Float, 0.0));
  VecFillOp::create(Builder, Loc, None, Zero, Count);
  return {Size, Zero};
}

LogicalResult TileLowering::lowerCompare(Operation &Op, Compare Kind) {
  Value Lhs = bufferOf(Op.getOperand(0)), Rhs = bufferOf(Op.getOperand(1));
  Tile Tile = tileOf(Op.getOperand(0));
  Value Count = countOf(Op.getLoc(), Tile);
  MemRefType Compared = bufferTypeFor(Tile.Type);
  Type Element = Compared.getElementType();
  bool Direct =
      isa<FloatType>(Element) || Arch.hasIntCompare ||
      (Kind == Compare::EQ && Arch.hasIntEqual && Element.isInteger(32));
  if (!Direct)
    std::tie(Lhs, Rhs) = compareIntegers(Op, Lhs, Rhs, Count, Kind);
  // One bit for each element, at the same place.
  auto Mask = MemRefType::get(Compared.getShape(), Builder.getI1Type(),
                              Compared.getLayout(), Compared.getMemorySpace());
  Tile.Type = cast<RankedTensorType>(Op.getResult(0).getType());
  Tile.Splat = {};
  Tile.Buffer = makeBuffer(Op.getLoc(), Mask);
  // Whole repeats are compared; buffers end with one.
  int64_t Lanes =
      256 * 8 / cast<MemRefType>(Lhs.getType()).getElementTypeBitWidth();
  VecCompareOp::create(Builder, Op.getLoc(), Kind, Lhs, Rhs, Tile.Buffer,
                       roundUp(Op.getLoc(), Count, Lanes));
  setTile(Op.getResult(0), Tile);
  return success();
}

LogicalResult TileLowering::lowerSelect(Operation &Op) {
  Value Mask = bufferOf(Op.getOperand(0)), Lhs = bufferOf(Op.getOperand(1)),
        Rhs = bufferOf(Op.getOperand(2));
  Tile Tile = tileOf(Op.getOperand(1));
  Tile.Splat = {};
  Tile.Buffer = destinationFor(Op.getResult(0));
  VecSelectOp::create(Builder, Op.getLoc(), Mask, Lhs, Rhs, Tile.Buffer,
                      countOf(Op.getLoc(), Tile));
  setTile(Op.getResult(0), Tile);
  return success();
}

static std::optional<Compare> kindOf(arith::CmpFPredicate Predicate) {
  switch (Predicate) {
  case arith::CmpFPredicate::OLT:
    return Compare::LT;
  case arith::CmpFPredicate::OGT:
    return Compare::GT;
  case arith::CmpFPredicate::OEQ:
    return Compare::EQ;
  case arith::CmpFPredicate::OLE:
    return Compare::LE;
  case arith::CmpFPredicate::OGE:
    return Compare::GE;
  case arith::CmpFPredicate::UNE:
    return Compare::NE;
  default:
    return std::nullopt;
  }
}

static std::optional<Compare> kindOf(arith::CmpIPredicate Predicate) {
  switch (Predicate) {
  case arith::CmpIPredicate::slt:
    return Compare::LT;
  case arith::CmpIPredicate::sgt:
    return Compare::GT;
  case arith::CmpIPredicate::eq:
    return Compare::EQ;
  case arith::CmpIPredicate::sle:
    return Compare::LE;
  case arith::CmpIPredicate::sge:
    return Compare::GE;
  case arith::CmpIPredicate::ne:
    return Compare::NE;
  default:
    return std::nullopt;
  }
}

LogicalResult TileLowering::lowerElementwise(Operation &Op) {
  using UnaryKind = std::optional<Unary>;
  UnaryKind One = TypeSwitch<Operation *, UnaryKind>(&Op)
                      .Case<math::AbsFOp>([](auto) { return Unary::Abs; })
                      .Case<math::ExpOp>([](auto) { return Unary::Exp; })
                      .Case<math::LogOp>([](auto) { return Unary::Ln; })
                      .Case<math::SqrtOp>([](auto) { return Unary::Sqrt; })
                      .Case<math::RsqrtOp>([](auto) { return Unary::Rsqrt; })
                      .Case<math::TanhOp>([](auto) { return Unary::Tanh; })
                      .Case<math::ErfOp>([](auto) { return Unary::Erf; })
                      .Case<math::SinOp>([](auto) { return Unary::Sin; })
                      .Case<math::CosOp>([](auto) { return Unary::Cos; })
                      .Case<math::FloorOp>([](auto) { return Unary::Floor; })
                      .Case<math::CeilOp>([](auto) { return Unary::Ceil; })
                      .Case<math::TruncOp>([](auto) { return Unary::Trunc; })
                      .Default(UnaryKind());
  if (One)
    return lowerUnary(Op, *One);
  using BinaryKind = std::optional<Binary>;
  BinaryKind Two =
      TypeSwitch<Operation *, BinaryKind>(&Op)
          .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Binary::Add; })
          .Case<arith::SubFOp, arith::SubIOp>([](auto) { return Binary::Sub; })
          .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Binary::Mul; })
          .Case<arith::DivFOp>([](auto) { return Binary::Div; })
          .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
              [](auto) { return Binary::Max; })
          .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(
              [](auto) { return Binary::Min; })
          .Case<math::PowFOp>([](auto) { return Binary::Power; })
          .Case<arith::AndIOp>([](auto) { return Binary::And; })
          .Case<arith::OrIOp>([](auto) { return Binary::Or; })
          .Case<arith::ShLIOp>([](auto) { return Binary::Shl; })
          .Case<arith::ShRSIOp>([](auto) { return Binary::Shr; })
          .Default(BinaryKind());
  if (Two)
    return lowerBinary(Op, *Two);
  if (isa<arith::NegFOp>(Op))
    return lowerNegate(Op);
  if (isa<arith::XOrIOp>(Op))
    return lowerXor(Op);
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::FPToSIOp,
          arith::ExtSIOp, arith::TruncIOp>(Op))
    return lowerCast(Op);
  if (auto Compare = dyn_cast<arith::CmpFOp>(Op)) {
    if (auto Kind = kindOf(Compare.getPredicate()))
      return lowerCompare(Op, *Kind);
  } else if (auto Compare = dyn_cast<arith::CmpIOp>(Op)) {
    if (auto Kind = kindOf(Compare.getPredicate()))
      return lowerCompare(Op, *Kind);
  }
  if (isa<arith::SelectOp>(Op))
    return lowerSelect(Op);
  if (auto Constant = dyn_cast<arith::ConstantOp>(Op)) {
    auto Type = cast<RankedTensorType>(Constant.getType());
    auto Dense = dyn_cast<SplatElementsAttr>(Constant.getValue());
    if (Dense && Type.hasStaticShape()) {
      Value Scalar = arith::ConstantOp::create(
          Builder, Op.getLoc(),
          cast<TypedAttr>(Dense.getSplatValue<Attribute>()));
      setTile(Op.getResult(0), {Type,
                                {},
                                Scalar,
                                Builder.getIndexAttr(Type.getDimSize(0)),
                                Builder.getIndexAttr(Type.getDimSize(1))});
      return success();
    }
  }
  return Op.emitOpError("has no vector instruction yet");
}
