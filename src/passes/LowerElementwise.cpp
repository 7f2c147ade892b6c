//===- LowerElementwise.cpp - What operations on tiles become -------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

LogicalResult TileLowering::lower(LoadOp Op) {
  RankedTensorType Type = Op.getTile().getType();
  Location Loc = Op.getLoc();
  Value Dst = destinationFor(Op.getTile());
  SmallVector<OpFoldResult> Sizes = Op.getMixedSizes();
  Tile Tile{Type, Dst, {}, {}, {}};
  if (Op.getPad()) {
    // A copy pads to the end of a block only.
    Tile.Rows = Builder.getIndexAttr(Type.getDimSize(0));
    Tile.Cols = Builder.getIndexAttr(Type.getDimSize(1));
    VecFillOp::create(Builder, Loc, Op.getPad(), Dst, countOf(Loc, Tile));
  } else {
    bool OneColumn = getCapacity(Type).getCols() == 1;
    OpFoldResult One = Builder.getIndexAttr(1);
    Tile.Cols = Sizes.size() > 1 || !OneColumn ? Sizes.back() : One;
    Tile.Rows = Sizes.size() > 1 ? Sizes[Sizes.size() - 2]
                : OneColumn      ? Sizes.back()
                                 : One;
  }
  DmaInOp::create(Builder, Loc, Op.getView(), Op.getOffsets(), Op.getSizes(),
                  Dst, Op.getPad(), Op.getStaticOffsets(), Op.getStaticSizes());
  setTile(Op.getTile(), Tile);
  return success();
}

LogicalResult TileLowering::lower(StoreOp Op) {
  Value Src = bufferOf(Op.getTile());
  DmaOutOp::create(Builder, Op.getLoc(), Src, Op.getView(), Op.getOffsets(),
                   Op.getSizes(), Op.getStaticOffsets(), Op.getStaticSizes(),
                   Op.getCombineAttr());
  return success();
}

//===----------------------------------------------------------------------===//
// Between extents
//===----------------------------------------------------------------------===//

LogicalResult TileLowering::lower(BroadcastOp Op) {
  Location Loc = Op.getLoc();
  RankedTensorType To = Op.getTile().getType();
  Tile Source = tileOf(Op.getSource());
  CapacityAttr From = getCapacity(Source.Type), Result = getCapacity(To);
  Tile Tile{To, {}, {}, Source.Rows, Source.Cols};
  unsigned Next = 0;
  if (From.getRows() == 1 && Result.getRows() != 1)
    Tile.Rows = To.isDynamicDim(0)
                    ? OpFoldResult(Op.getSizes()[Next++])
                    : OpFoldResult(Builder.getIndexAttr(To.getDimSize(0)));
  if (From.getCols() == 1 && Result.getCols() != 1)
    Tile.Cols = To.isDynamicDim(1)
                    ? OpFoldResult(Op.getSizes()[Next++])
                    : OpFoldResult(Builder.getIndexAttr(To.getDimSize(1)));
  if (Source.Splat) {
    Tile.Splat = Source.Splat;
    setTile(Op.getTile(), Tile);
    return success();
  }
  Tile.Buffer = destinationFor(Op.getTile());
  Value Work;
  if (From.getCols() == 1 && From.getRows() > 1) {
    int64_t PerBlock = 32 * 8 / To.getElementType().getIntOrFloatBitWidth();
    // Eight rows are expanded at a time.
    int64_t Rows = llvm::alignTo(From.getRows(), 8);
    Work = makeWork(Loc, To.getElementType(), Rows, PerBlock);
  }
  VecBroadcastOp::create(Builder, Loc, Source.Buffer, Tile.Buffer,
                         valueOf(Loc, Tile.Rows), valueOf(Loc, Tile.Cols),
                         Work);
  setTile(Op.getTile(), Tile);
  return success();
}

/// Elements that a reduction of so many needs as space: what each repeat
/// leaves, with an index beside it, and the rounds that follow.
static int64_t workFor(int64_t Count, Type Element) {
  int64_t PerRepeat = 256 * 8 / Element.getIntOrFloatBitWidth();
  int64_t PerBlock = PerRepeat / 8;
  int64_t Work = 0;
  for (int64_t Left = Count; Left > 1;) {
    Left = llvm::divideCeil(Left, PerRepeat) * 2;
    Work += llvm::alignTo(Left, PerBlock);
    if (Left <= 2)
      break;
  }
  return std::max(Work, PerRepeat);
}

Value TileLowering::reduceInto(ReduceOp Op, Axis Axis, const Tile &Source,
                               Value Dst) {
  Location Loc = Op.getLoc();
  Type Element = Source.Type.getElementType();
  CapacityAttr Capacity = getCapacity(Source.Type);
  int64_t Longest = Axis == Axis::Col && Capacity.getCols() > 1
                        ? 1
                        : std::max(Capacity.getRows(), Capacity.getCols());
  Value Work = makeWork(Loc, Element, 1, workFor(Longest, Element));
  VecReduceOp::create(Builder, Loc, Op.getCombine(), Axis, Source.Buffer,
                      valueOf(Loc, Source.Rows), valueOf(Loc, Source.Cols), Dst,
                      Work);
  return Dst;
}

LogicalResult TileLowering::lower(ReduceOp Op) {
  RankedTensorType To = Op.getTile().getType();
  OpFoldResult One = Builder.getIndexAttr(1);
  Value Src = bufferOf(Op.getSource());
  Tile Source = tileOf(Op.getSource());
  Source.Buffer = Src;
  CapacityAttr Capacity = getCapacity(Source.Type);
  Axis Axis = Op.getAxis();
  Tile Tile{To,
            {},
            {},
            Axis == Axis::Row ? Source.Rows : One,
            Axis == Axis::Col ? Source.Cols : One};
  // All of it: rows first, then the column that they leave.
  if (Axis == Axis::All && Capacity.getRows() == 1)
    Axis = Axis::Row;
  else if (Axis == Axis::All && Capacity.getCols() == 1)
    Axis = Axis::Col;
  if (Axis == Axis::All) {
    bool Dynamic = Source.Type.isDynamicDim(0);
    RankedTensorType Column =
        getTileType(To.getElementType(),
                    {Dynamic ? ShapedType::kDynamic : Capacity.getRows(), 1},
                    {Capacity.getRows(), 1});
    Value Rows = makeBuffer(Op.getLoc(), bufferTypeFor(Column));
    reduceInto(Op, Axis::Row, Source, Rows);
    Source = {Column, Rows, {}, Source.Rows, One};
    Axis = Axis::Col;
  }
  Tile.Buffer = destinationFor(Op.getTile());
  reduceInto(Op, Axis, Source, Tile.Buffer);
  setTile(Op.getTile(), Tile);
  return success();
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

LogicalResult TileLowering::lowerUnary(Operation &Op, Unary Kind) {
  Value Src = bufferOf(Op.getOperand(0));
  Tile Tile = tileOf(Op.getOperand(0));
  Tile.Splat = {};
  Tile.Buffer = destinationFor(Op.getResult(0));
  VecUnaryOp::create(Builder, Op.getLoc(), Kind, Src, Tile.Buffer,
                     countOf(Op.getLoc(), Tile));
  setTile(Op.getResult(0), Tile);
  return success();
}

/// Whether a vector instruction takes this one with a scalar.
static bool hasScalarForm(Binary Kind) {
  return Kind == Binary::Add || Kind == Binary::Mul || Kind == Binary::Max ||
         Kind == Binary::Min;
}

LogicalResult TileLowering::lowerBinary(Operation &Op, Binary Kind) {
  Location Loc = Op.getLoc();
  Value Lhs = Op.getOperand(0), Rhs = Op.getOperand(1);
  // A number minus x would need x's negative as well.
  Value Scalar = tileOf(Rhs).Splat;
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
  if (UseScalar)
    VecScalarOp::create(Builder, Loc, Kind, Src, Scalar, Tile.Buffer, Count);
  else
    VecBinaryOp::create(Builder, Loc, Kind, Src, Second, Tile.Buffer, Count);
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

LogicalResult TileLowering::lowerCast(Operation &Op, Round Round) {
  auto To = cast<RankedTensorType>(Op.getResult(0).getType());
  Value Src = bufferOf(Op.getOperand(0));
  Tile Tile = tileOf(Op.getOperand(0));
  MemRefType From = bufferTypeFor(Tile.Type), Into = bufferTypeFor(To);
  if (From.getDimSize(0) > 1 && pitchOf(From) != pitchOf(Into))
    return Op.emitOpError("converts rows whose lengths in bytes are not "
                          "multiples of 32 in both types, which is not "
                          "supported yet");
  Tile.Splat = {};
  Tile.Type = To;
  Tile.Buffer = destinationFor(Op.getResult(0));
  VecCastOp::create(Builder, Op.getLoc(), Round, Src, Tile.Buffer,
                    countOf(Op.getLoc(), Tile));
  setTile(Op.getResult(0), Tile);
  return success();
}

LogicalResult TileLowering::lowerCompare(Operation &Op, Compare Kind) {
  Value Lhs = bufferOf(Op.getOperand(0)), Rhs = bufferOf(Op.getOperand(1));
  Tile Tile = tileOf(Op.getOperand(0));
  Value Count = countOf(Op.getLoc(), Tile);
  MemRefType Compared = bufferTypeFor(Tile.Type);
  // One bit for each element, at the same place.
  auto Mask = MemRefType::get(Compared.getShape(), Builder.getI1Type(),
                              Compared.getLayout(), Compared.getMemorySpace());
  Tile.Type = cast<RankedTensorType>(Op.getResult(0).getType());
  Tile.Splat = {};
  Tile.Buffer = makeBuffer(Op.getLoc(), Mask);
  VecCompareOp::create(Builder, Op.getLoc(), Kind, Lhs, Rhs, Tile.Buffer,
                       Count);
  setTile(Op.getResult(0), Tile);
  return success();
}

LogicalResult TileLowering::lowerSelect(Operation &Op) {
  if (!isTile(Op.getOperand(0).getType()))
    return Op.emitOpError("chooses whole tiles; write it as a branch");
  Value Mask = bufferOf(Op.getOperand(0)), Lhs = bufferOf(Op.getOperand(1)),
        Rhs = bufferOf(Op.getOperand(2));
  Tile Tile = tileOf(Op.getOperand(1));
  Tile.Splat = {};
  if (pitchOf(cast<MemRefType>(Mask.getType())) !=
      pitchOf(bufferTypeFor(Tile.Type)))
    return Op.emitOpError("chooses elements of another size than those that "
                          "were compared, which is not supported yet");
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

/// How a conversion rounds unless it says so: to the nearest where bits are
/// lost, towards zero on the way to integers.
static Round roundingOf(Operation &Op) {
  if (isa<arith::TruncFOp, arith::SIToFPOp>(Op)) {
    Type From = cast<ShapedType>(Op.getOperand(0).getType()).getElementType();
    Type To = cast<ShapedType>(Op.getResult(0).getType()).getElementType();
    bool Exact =
        isa<arith::SIToFPOp>(Op) && cast<FloatType>(To).getFPMantissaWidth() >=
                                        From.getIntOrFloatBitWidth();
    return Exact ? Round::None : Round::Rint;
  }
  return isa<arith::FPToSIOp>(Op) ? Round::Trunc : Round::None;
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
                      .Case<math::RoundOp>([](auto) { return Unary::Round; })
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
          .Default(BinaryKind());
  if (Two)
    return lowerBinary(Op, *Two);
  if (isa<arith::NegFOp>(Op))
    return lowerNegate(Op);
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::FPToSIOp,
          arith::ExtSIOp, arith::TruncIOp>(Op))
    return lowerCast(Op, roundingOf(Op));
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
