//===- ExpandTakes.cpp - Indices that name nothing ------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an index means that names no column, written as arithmetic on tiles of
// indices: after it, all indices of a gather from a tile name a column, or the
// nearest one is meant, as ascend.vec.take has it.
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

namespace {
/// Builds one gather anew.
class TakeBuilder {
public:
  TakeBuilder(OpBuilder &B, TakeOp Op)
      : B(B), Op(Op), Loc(unnamed(Op.getLoc())), Indices(Op.getIndices()) {}

  /// What stands for the result.
  Value build();

private:
  /// \name Numbers
  /// @{
  Value extent(Value Tile, unsigned Dim) {
    auto Type = cast<RankedTensorType>(Tile.getType());
    return Type.isDynamicDim(Dim)
               ? Value(tensor::DimOp::create(B, Loc, Tile, Dim))
               : Value(arith::ConstantIndexOp::create(B, Loc,
                                                      Type.getDimSize(Dim)));
  }
  /// Columns of the source, plus a number.
  Value columns(int64_t Plus) {
    Value Sum = B.createOrFold<arith::AddIOp>(
        Loc, extent(Op.getSource(), 1),
        arith::ConstantIndexOp::create(B, Loc, Plus));
    return B.createOrFold<arith::IndexCastOp>(Loc, B.getI32Type(), Sum);
  }
  Value integer(int64_t Value) {
    return arith::ConstantOp::create(B, Loc, B.getI32IntegerAttr(Value));
  }
  Value atLeast(Value A, int64_t Least) {
    return B.createOrFold<arith::CmpIOp>(
        Loc, arith::CmpIPredicate::sge, A,
        arith::ConstantIndexOp::create(B, Loc, Least));
  }
  /// @}

  /// \name Tiles of the extents of the indices
  /// @{
  Value fill(Value Scalar) {
    auto Type = cast<RankedTensorType>(Indices.getType());
    SmallVector<Value> Sizes;
    for (unsigned Dim : {0, 1})
      if (Type.isDynamicDim(Dim))
        Sizes.push_back(extent(Indices, Dim));
    return SplatOp::create(B, Loc, Type.clone(Scalar.getType()), Scalar, Sizes);
  }
  template <typename Arith> Value with(Value Tile, Value Scalar) {
    return Arith::create(B, Loc, Tile, fill(Scalar));
  }
  Value between(Value Tile, Value Least, Value Most) {
    return with<arith::MinSIOp>(with<arith::MaxSIOp>(Tile, Least), Most);
  }
  /// 1 for each element that is larger than 0.
  Value isPositive(Value Tile) { return between(Tile, integer(0), integer(1)); }
  Value asFloat(Value Tile) {
    auto Type = cast<RankedTensorType>(Tile.getType());
    return arith::SIToFPOp::create(B, Loc, Type.clone(B.getF32Type()), Tile);
  }
  /// @}

  /// Of one column there is nothing to choose: each row repeats its element.
  Value take(Value Places) {
    RankedTensorType Type = Op.getTile().getType();
    if (Op.getSource().getType().getDimSize(1) == 1 &&
        Type.getDimSize(1) != 1) {
      SmallVector<Value, 1> Sizes;
      if (Type.isDynamicDim(1))
        Sizes.push_back(extent(Places, 1));
      return BroadcastOp::create(B, Op.getLoc(), Type, Op.getSource(), Sizes);
    }
    return TakeOp::create(B, Op.getLoc(), BadIndex::Clamp, Op.getSource(),
                          Places);
  }
  Value nearest() { return between(Indices, integer(0), columns(-1)); }
  /// Whether the gather itself takes the nearest column: all columns of a row
  /// are there, and each row is gathered from alone.
  bool takesNearest() {
    RankedTensorType Source = Op.getSource().getType();
    auto Named = cast<RankedTensorType>(Indices.getType());
    return !Source.isDynamicDim(1) && (getCapacity(Source).getRows() == 1 ||
                                       getCapacity(Named).getCols() > 1);
  }
  Value wrapped();
  Value lessMultiple(Value Tile, Value Inverse);
  void trap(Value Nearest);
  Value orZero();

  OpBuilder &B;
  TakeOp Op;
  Location Loc;
  Value Indices;
};
} // namespace

/// Without the multiple of the number of columns that float finds.
Value TakeBuilder::lessMultiple(Value Tile, Value Inverse) {
  auto Type = cast<RankedTensorType>(Tile.getType());
  Value Quotient = with<arith::MulFOp>(asFloat(Tile), Inverse);
  Value Floor = math::FloorOp::create(B, Loc, Quotient);
  Value Times = arith::FPToSIOp::create(B, Loc, Type, Floor);
  return arith::SubIOp::create(B, Loc, Tile,
                               with<arith::MulIOp>(Times, columns(0)));
}

/// A quotient in float is off by at most 2^-22 of itself. Of an index of 32
/// bits the first multiple leaves a rest of at most 512 and some columns, of
/// which the second one leaves a rest that is a column, or lies next to them:
/// at most one time the columns too low or too high.
Value TakeBuilder::wrapped() {
  Value One = arith::ConstantOp::create(B, Loc, B.getF32FloatAttr(1.0f));
  Value Inverse = B.createOrFold<arith::DivFOp>(
      Loc, One,
      B.createOrFold<arith::SIToFPOp>(Loc, B.getF32Type(), columns(0)));
  Value Rest = lessMultiple(lessMultiple(Indices, Inverse), Inverse);
  Value TooLow = isPositive(with<arith::MulIOp>(Rest, integer(-1)));
  Rest = arith::AddIOp::create(B, Loc, Rest,
                               with<arith::MulIOp>(TooLow, columns(0)));
  Value MinusColumns =
      B.createOrFold<arith::SubIOp>(Loc, integer(0), columns(0));
  Value First = B.createOrFold<arith::SubIOp>(Loc, integer(1), columns(0));
  Value TooHigh = isPositive(with<arith::AddIOp>(Rest, First));
  return arith::AddIOp::create(B, Loc, Rest,
                               with<arith::MulIOp>(TooHigh, MinusColumns));
}

/// An index that is not its nearest column differs from it, and a float keeps
/// that. Where there are no columns there are no indices, either.
void TakeBuilder::trap(Value Nearest) {
  auto Stop = [&](Value Unless) {
    GuardOp::create(B, Op.getLoc(), Unless, "local-out-of-bounds",
                    "0 <= index && index < columns");
  };
  if (Op.getSource().getType().isDynamicDim(1)) {
    Value Number = B.createOrFold<arith::MulIOp>(Loc, extent(Indices, 0),
                                                 extent(Indices, 1));
    Value Any = atLeast(Number, 1);
    Value None = arith::XOrIOp::create(
        B, Loc, Any, arith::ConstantOp::create(B, Loc, B.getBoolAttr(true)));
    Stop(arith::OrIOp::create(B, Loc, atLeast(extent(Op.getSource(), 1), 1),
                              None));
  }
  Value Apart = arith::SubIOp::create(B, Loc, Indices, Nearest);
  Value Size = math::AbsFOp::create(B, Loc, asFloat(Apart));
  Value Largest = ReduceOp::create(B, Loc, Combine::Max, Axis::All, Size);
  Value Zero = arith::ConstantIndexOp::create(B, Loc, 0);
  Value Farthest =
      tensor::ExtractOp::create(B, Loc, Largest, ValueRange{Zero, Zero});
  // The largest of nothing is less than 0.
  Stop(arith::CmpFOp::create(
      B, Loc, arith::CmpFPredicate::OLE, Farthest,
      arith::ConstantOp::create(B, Loc, B.getF32FloatAttr(0.0f))));
}

/// 0 for an index that is not its nearest column, and for all where there is
/// none.
Value TakeBuilder::orZero() {
  Type Element = Op.getSource().getType().getElementType();
  Value Zero = arith::ConstantOp::create(B, Loc, B.getZeroAttr(Element));
  auto Choose = [&]() -> Value {
    Value Nearest = nearest();
    Value Same = arith::CmpIOp::create(B, Loc, arith::CmpIPredicate::eq,
                                       Nearest, Indices);
    Value Taken = take(Nearest);
    return arith::SelectOp::create(B, Op.getLoc(), Same, Taken, fill(Zero));
  };
  if (!Op.getSource().getType().isDynamicDim(1))
    return Choose();
  auto If = scf::IfOp::create(B, Op.getLoc(), Op.getTile().getType(),
                              atLeast(extent(Op.getSource(), 1), 1),
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard Guard(B);
  B.setInsertionPointToStart(If.thenBlock());
  scf::YieldOp::create(B, Loc, Choose());
  B.setInsertionPointToStart(If.elseBlock());
  scf::YieldOp::create(B, Loc, fill(Zero));
  return If.getResult(0);
}

Value TakeBuilder::build() {
  switch (Op.getPolicy()) {
  case BadIndex::Clamp:
    return take(takesNearest() ? Indices : nearest());
  case BadIndex::Wrap:
    return take(wrapped());
  case BadIndex::Zero:
    return orZero();
  case BadIndex::Trap:
    break;
  }
  Value Nearest = nearest();
  trap(Nearest);
  return take(Nearest);
}

void TileLowering::expandTakes() {
  SmallVector<TakeOp> Takes;
  Kernel.walk([&](TakeOp Op) { Takes.push_back(Op); });
  for (TakeOp Op : Takes) {
    Builder.setInsertionPoint(Op);
    Op.getTile().replaceAllUsesWith(TakeBuilder(Builder, Op).build());
    Op.erase();
  }
}
