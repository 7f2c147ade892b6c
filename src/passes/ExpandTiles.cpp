//===- ExpandTiles.cpp - Operations that are made of others ---------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// Rounds to whole numbers as integers of 32 bits do. A float that is too large
/// for one is whole, or none at all.
void TileLowering::expandRounding() {
  SmallVector<Operation *> Roundings;
  Kernel.walk([&](Operation *Op) {
    if (isa<math::RoundEvenOp, math::RoundOp>(Op) &&
        isTile(Op->getResult(0).getType()) && !isRoundedByCast(*Op))
      Roundings.push_back(Op);
  });
  for (Operation *Op : Roundings) {
    Builder.setInsertionPointAfter(Op);
    Location Loc = unnamed(Op->getLoc());
    Value From = Op->getOperand(0);
    auto Floats = cast<RankedTensorType>(From.getType());
    Value Integers = arith::FPToSIOp::create(
        Builder, Loc, Floats.clone(Builder.getI32Type()), Op->getResult(0));
    Value Back = arith::SIToFPOp::create(Builder, Loc, Floats, Integers);
    Value Size = math::AbsFOp::create(Builder, Loc, From);
    Value Scalar = arith::ConstantOp::create(
        Builder, Loc, Builder.getF32FloatAttr(2147483648.0f));
    SmallVector<Value> Extents;
    for (int64_t Dim = 0; Dim < Floats.getRank(); ++Dim)
      if (Floats.isDynamicDim(Dim))
        Extents.push_back(tensor::DimOp::create(Builder, Loc, From, Dim));
    Value Limit = SplatOp::create(Builder, Loc, Floats, Scalar, Extents);
    Value Fits = arith::CmpFOp::create(Builder, Loc, arith::CmpFPredicate::OLT,
                                       Size, Limit);
    Value Result =
        arith::SelectOp::create(Builder, Op->getLoc(), Fits, Back, From);
    Op->getResult(0).replaceAllUsesExcept(Result, Integers.getDefiningOp());
  }
}

/// A number that only a tile with rows has; nothing else is read of an empty
/// one.
static Value ifAnyRows(OpBuilder &Builder, Value Tile, Value Otherwise,
                       function_ref<Value()> Number) {
  if (!cast<RankedTensorType>(Tile.getType()).isDynamicDim(0))
    return Number();
  Location Loc = Otherwise.getLoc();
  Value Rows = tensor::DimOp::create(Builder, Loc, Tile, 0);
  Value Any = arith::CmpIOp::create(Builder, Loc, arith::CmpIPredicate::sgt,
                                    Rows, Otherwise);
  auto If = scf::IfOp::create(Builder, Loc, Builder.getIndexType(), Any,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(If.thenBlock());
  scf::YieldOp::create(Builder, Loc, Number());
  Builder.setInsertionPointToStart(If.elseBlock());
  scf::YieldOp::create(Builder, Loc, Otherwise);
  return If.getResult(0);
}

/// Where the first of the largest elements of several rows is: in the first row
/// that has one, where it is there.
void TileLowering::expandArgReduce() {
  SmallVector<ArgReduceOp> OfAll;
  Kernel.walk([&](ArgReduceOp Op) {
    RankedTensorType Source = Op.getSource().getType();
    if (Op.getAxis() == Axis::All && getCapacity(Source).getRows() > 1)
      OfAll.push_back(Op);
  });
  for (ArgReduceOp Op : OfAll) {
    Builder.setInsertionPoint(Op);
    Location Loc = unnamed(Op.getLoc());
    Value Source = Op.getSource();
    Value Zero = arith::ConstantIndexOp::create(Builder, Loc, 0);
    auto ElementAt = [&](Value Tile, Value Row) -> Value {
      Value Element =
          tensor::ExtractOp::create(Builder, Loc, Tile, ValueRange{Row, Zero});
      return arith::IndexCastOp::create(Builder, Loc, Builder.getIndexType(),
                                        Element);
    };
    Value Best =
        ReduceOp::create(Builder, Loc, Op.getCombine(), Axis::Row, Source);
    Value Where =
        ArgReduceOp::create(Builder, Loc, Op.getCombine(), Axis::Row, Source);
    Value AsRow = TransposeOp::create(Builder, Loc, Best);
    Value First =
        ArgReduceOp::create(Builder, Loc, Op.getCombine(), Axis::All, AsRow);
    // The row comes from a buffer: that it is one is shown by bounds.
    int64_t Rows = getCapacity(Op.getSource().getType()).getRows();
    Value Least =
        arith::MaxSIOp::create(Builder, Loc, ElementAt(First, Zero), Zero);
    Value Last = arith::ConstantIndexOp::create(Builder, Loc, Rows - 1);
    Value Row = arith::MinSIOp::create(Builder, Loc, Least, Last);
    Value Col =
        ifAnyRows(Builder, Source, Zero, [&] { return ElementAt(Where, Row); });
    Value Cols = tensor::DimOp::create(Builder, Loc, Source, 1);
    Value Before = arith::MulIOp::create(Builder, Loc, Row, Cols);
    Value Place = arith::AddIOp::create(Builder, Loc, Before, Col);
    Value Narrow =
        arith::IndexCastOp::create(Builder, Loc, Builder.getI32Type(), Place);
    Value Result = SplatOp::create(Builder, Op.getLoc(), Op.getTile().getType(),
                                   Narrow, ValueRange());
    Op.getTile().replaceAllUsesWith(Result);
    Op.erase();
  }
}

/// A choice between whole tiles is the branch that it was in the source, before
/// canonicalisation made one value of it.
void TileLowering::expandChoices() {
  SmallVector<arith::SelectOp> Choices;
  Kernel.walk([&](arith::SelectOp Op) {
    if (isTile(Op.getType()) && !isTile(Op.getCondition().getType()))
      Choices.push_back(Op);
  });
  for (arith::SelectOp Op : Choices) {
    Builder.setInsertionPoint(Op);
    auto Branch = scf::IfOp::create(
        Builder, Op.getLoc(), Op.getCondition(),
        [&](OpBuilder &Then, Location Loc) {
          scf::YieldOp::create(Then, Loc, Op.getTrueValue());
        },
        [&](OpBuilder &Else, Location Loc) {
          scf::YieldOp::create(Else, Loc, Op.getFalseValue());
        });
    Op.replaceAllUsesWith(Branch.getResult(0));
    Op.erase();
  }
}
