//===- LowerStridedLoads.cpp - Columns that lie apart ---------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copy engine takes elements that lie side by side. Of every second, fourth
// or eighth column of a view it copies all from the first to the last, and the
// vector unit leaves out those between. What lies between is read as well, so
// this is only done where nothing in the kernel writes to it. All other columns
// that lie apart are read one by one by the scalar unit.
//
//===----------------------------------------------------------------------===//

#include "analysis/Views.h"
#include "passes/TileLowering.h"
#include "passes/expand/GlobalMemory.h"
#include "targets/Instructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace belay;
using namespace belay::ascend;
using namespace belay::passes;

/// Space for what is copied at once, and the longest row that is: more would be
/// missing where tiles are kept.
static constexpr int64_t MostBytes = 16384, MostRowBytes = 32768;
static constexpr int64_t MostStep = 8;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// How far apart the places of a dimension are in a view of which this one is
/// a part, and in which they lie side by side. Nothing if there is none.
static std::optional<int64_t> stepOf(Value View, unsigned Dim) {
  if (staticStride(View, Dim) == 1)
    return 1;
  if (auto Cast = View.getDefiningOp<memref::CastOp>())
    return stepOf(Cast.getSource(), Dim);
  if (auto Turned = View.getDefiningOp<memref::TransposeOp>())
    return stepOf(Turned.getIn(), Turned.getPermutation().getDimPosition(Dim));
  auto Part = View.getDefiningOp<memref::SubViewOp>();
  if (!Part)
    return std::nullopt;
  unsigned From = analysis::sourceDim(Part, Dim);
  std::optional<int64_t> Here =
      getConstantIntValue(Part.getMixedStrides()[From]);
  std::optional<int64_t> Outer = stepOf(Part.getSource(), From);
  if (!Here || !Outer || *Here > MostStep)
    return std::nullopt;
  return *Here * *Outer;
}

namespace {
/// A view with all places of a dimension, and the number of the first one.
struct DenseView {
  Value View, First;
};
} // namespace

static Value plus(OpBuilder &B, Location Loc, Value A, Value Factor,
                  int64_t Step) {
  Value Times = B.createOrFold<arith::MulIOp>(
      Loc, Factor, arith::ConstantIndexOp::create(B, Loc, Step));
  return B.createOrFold<arith::AddIOp>(Loc, A, Times);
}

/// The same view with the places between those of a dimension. No part of it is
/// larger than its source in any other dimension than before, and all of its
/// source in this one.
static DenseView denseView(OpBuilder &B, Location Loc, Value View,
                           unsigned Dim) {
  Value Zero = arith::ConstantIndexOp::create(B, Loc, 0);
  if (staticStride(View, Dim) == 1)
    return {View, Zero};
  if (auto Cast = View.getDefiningOp<memref::CastOp>())
    return denseView(B, Loc, Cast.getSource(), Dim);
  if (auto Turned = View.getDefiningOp<memref::TransposeOp>()) {
    DenseView In = denseView(B, Loc, Turned.getIn(),
                             Turned.getPermutation().getDimPosition(Dim));
    return {memref::TransposeOp::create(B, Loc, In.View,
                                        Turned.getPermutationAttr()),
            In.First};
  }
  auto Part = View.getDefiningOp<memref::SubViewOp>();
  unsigned From = analysis::sourceDim(Part, Dim);
  DenseView Source = denseView(B, Loc, Part.getSource(), From);
  SmallVector<OpFoldResult> Offsets = Part.getMixedOffsets(),
                            Sizes = Part.getMixedSizes(),
                            Strides = Part.getMixedStrides();
  Value First = plus(B, Loc, Source.First,
                     getValueOrCreateConstantIndexOp(B, Loc, Offsets[From]),
                     *stepOf(Part.getSource(), From));
  Offsets[From] = B.getIndexAttr(0);
  Sizes[From] = memref::getMixedSize(B, Loc, Source.View, From);
  Strides[From] = B.getIndexAttr(1);
  SmallVector<int64_t> Shape(Part.getType().getShape());
  Shape[Dim] = getConstantIntValue(Sizes[From]).value_or(ShapedType::kDynamic);
  auto Type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      Shape, cast<MemRefType>(Source.View.getType()), Offsets, Sizes, Strides));
  return {memref::SubViewOp::create(B, Loc, Type, Source.View, Offsets, Sizes,
                                    Strides),
          First};
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// How many columns are from one that is wanted to the next; 1 if the columns
/// between cannot be left out by the vector unit.
static int64_t stepOfLoad(LoadOp Op, const targets::Arch &Arch) {
  auto Type = cast<MemRefType>(Op.getView().getType());
  CapacityAttr Capacity = getCapacity(Op.getTile().getType());
  std::optional<int64_t> Step = stepOf(Op.getView(), Type.getRank() - 1);
  unsigned Bits = Type.getElementTypeBitWidth();
  std::optional<targets::Element> Element =
      targetElementOf(Type.getElementType());
  bool HasInstructions =
      (Bits == 16 || Bits == 32) && Element &&
      targets::hasForm(Arch, "GatherMask", *Element, /*ByCount=*/false);
  if (!Step || *Step > MostStep || !llvm::isPowerOf2_64(*Step) ||
      !HasInstructions || Capacity.getCols() == 1 ||
      (Arch.copiesWholeBlocks() && !Op.getInset().empty()) ||
      Capacity.getCols() * *Step * Bits / 8 > MostRowBytes ||
      !analysis::isOnlyRead(Op.getView()))
    return 1;
  return *Step;
}

/// What is copied for a load of columns that lie apart.
struct passes::SpreadLoad {
  LoadOp Op;
  int64_t Step;
  /// The view with the columns between, and a window of it that ends with the
  /// last column that is wanted.
  Value View;
  SmallVector<OpFoldResult> Offsets, Sizes;
  /// Where the window goes to in the tile: a row, and a column of what is
  /// copied.
  Value Row, Col;
  /// Space for some rows of it.
  MemRefType Wide;
};

/// The number of the last of some columns that lie apart, plus one; 0 of none.
static Value spreadOver(OpBuilder &B, Location Loc, Value Cols, int64_t Step) {
  auto Number = [&](int64_t Value) {
    return arith::ConstantIndexOp::create(B, Loc, Value);
  };
  Value Before = B.createOrFold<arith::SubIOp>(Loc, Cols, Number(1));
  return B.createOrFold<arith::MaxSIOp>(
      Loc, plus(B, Loc, Number(1), Before, Step), Number(0));
}

/// Columns 0, Step, 2 * Step and so on; half of all that are left at a time.
void TileLowering::takeEvery(const SpreadLoad &Load, Value From, Value Rows,
                             const Tile &To, Value First) {
  Location Loc = unnamed(LoadOp(Load.Op).getLoc());
  Value Cols = valueOf(Loc, To.Cols);
  Value Zero = arith::ConstantIndexOp::create(Builder, Loc, 0);
  // Never more than there is space for, which the minimum says to proofs.
  auto AtMost = [&](Value Number, int64_t Space) {
    return Builder.createOrFold<arith::MinSIOp>(
        Loc, Number, arith::ConstantIndexOp::create(Builder, Loc, Space));
  };
  MemRefType Type = Load.Wide;
  for (int64_t Step = Load.Step; Step > 2; Step /= 2) {
    Type = bufferTypeFor(RankedTensorType::get(
        {Type.getDimSize(0), Type.getDimSize(1) / 2}, Type.getElementType()));
    Value Half = makeBuffer(Loc, Type);
    Value Left =
        AtMost(spreadOver(Builder, Loc, Cols, Step / 2), Type.getDimSize(1));
    VecEveryOtherOp::create(Builder, Loc, From, Rows, Left, Half, Zero);
    From = Half;
  }
  int64_t Space = cast<MemRefType>(To.Buffer.getType()).getDimSize(1);
  VecEveryOtherOp::create(Builder, Loc, From, Rows, AtMost(Cols, Space),
                          To.Buffer, First);
}

/// Some rows of the window, as many as there is space for.
void TileLowering::loadSpread(const SpreadLoad &Load, const Tile &To,
                              Value First, Value Count) {
  LoadOp Op = Load.Op;
  Location Loc = unnamed(Op.getLoc());
  SmallVector<OpFoldResult> Offsets(Load.Offsets), Sizes(Load.Sizes);
  if (unsigned Rank = Offsets.size(); Rank > 1) {
    Offsets[Rank - 2] = getAsOpFoldResult(
        plus(Builder, Loc, valueOf(Loc, Offsets[Rank - 2]), First, 1));
    Sizes[Rank - 2] = getAsOpFoldResult(Count);
  }
  SmallVector<Value> OpenOffsets, OpenSizes, Inset;
  SmallVector<int64_t> KnownOffsets, KnownSizes;
  dispatchIndexOpFoldResults(Offsets, OpenOffsets, KnownOffsets);
  dispatchIndexOpFoldResults(Sizes, OpenSizes, KnownSizes);
  if (!Op.getInset().empty())
    Inset = {arith::ConstantIndexOp::create(Builder, Loc, 0), Load.Col};
  Value Wide = makeBuffer(Loc, Load.Wide);
  DmaInOp::create(Builder, Op.getLoc(), Load.View, OpenOffsets, OpenSizes, Wide,
                  Op.getPad(), Inset, KnownOffsets, KnownSizes);
  takeEvery(Load, Wide, Count, To, plus(Builder, Loc, Load.Row, First, 1));
}

SpreadLoad TileLowering::spread(LoadOp Op, const Tile &To, int64_t Step) {
  Location Loc = unnamed(Op.getLoc());
  SpreadLoad Load{Op, Step, {}, Op.getMixedOffsets(), Op.getMixedSizes(),
                  {}, {},   {}};
  DenseView Dense =
      denseView(Builder, Loc, Op.getView(), Load.Offsets.size() - 1);
  Load.View = Dense.View;
  Load.Offsets.back() = getAsOpFoldResult(
      plus(Builder, Loc, Dense.First, valueOf(Loc, Load.Offsets.back()), Step));
  Load.Sizes.back() = getAsOpFoldResult(
      spreadOver(Builder, Loc, valueOf(Loc, Load.Sizes.back()), Step));
  Value Zero = arith::ConstantIndexOp::create(Builder, Loc, 0);
  Load.Row = Load.Col = Zero;
  if (!Op.getInset().empty()) {
    Load.Row = Op.getInset()[0];
    Load.Col = plus(Builder, Loc, Zero, Op.getInset()[1], Step);
  }
  auto Tile = cast<MemRefType>(To.Buffer.getType());
  int64_t Cols = Tile.getDimSize(1) * Step,
          Bytes = Cols * Tile.getElementTypeBitWidth() / 8;
  int64_t Rows = std::clamp<int64_t>(MostBytes / Bytes, 1, Tile.getDimSize(0));
  Load.Wide =
      bufferTypeFor(RankedTensorType::get({Rows, Cols}, Tile.getElementType()));
  return Load;
}

bool TileLowering::lowerStrided(LoadOp Op, const Tile &To) {
  int64_t Step = stepOfLoad(Op, Arch);
  if (Step == 1)
    return false;
  Location Loc = unnamed(Op.getLoc());
  auto Number = [&](int64_t Value) -> mlir::Value {
    return arith::ConstantIndexOp::create(Builder, Loc, Value);
  };
  auto Buffer = cast<MemRefType>(To.Buffer.getType());
  SpreadLoad Load = spread(Op, To, Step);
  // Of rows that are not in the window, nothing is copied.
  if (Op.getPad())
    VecFillOp::create(Builder, Loc, Op.getPad(), To.Buffer,
                      Number(Buffer.getDimSize(0) * pitchOf(Buffer)));
  unsigned Rank = Load.Sizes.size();
  Value Rows = Rank > 1 ? valueOf(Loc, Load.Sizes[Rank - 2]) : Number(1);
  int64_t AtOnce = Load.Wide.getDimSize(0);
  if (AtOnce == Buffer.getDimSize(0)) {
    loadSpread(Load, To, Number(0), Rows);
    return true;
  }
  auto Loop = scf::ForOp::create(Builder, Loc, Number(0), Rows, Number(AtOnce));
  OpBuilder::InsertionGuard Guard(Builder);
  Builder.setInsertionPointToStart(Loop.getBody());
  Value First = Loop.getInductionVar();
  Value Left = arith::SubIOp::create(Builder, Loc, Rows, First);
  loadSpread(Load, To, First,
             arith::MinSIOp::create(Builder, Loc, Left, Number(AtOnce)));
  return true;
}
