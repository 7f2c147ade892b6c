//===- TileOps.cpp - Kernels as values ------------------------------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/Ascend.h"
#include "dialect/Fractals.h"
#include "dialect/Windows.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace belay::ascend;

static SmallVector<int64_t, 2> capacityOf(RankedTensorType Tile) {
  CapacityAttr Capacity = getCapacity(Tile);
  return {Capacity.getRows(), Capacity.getCols()};
}

//===----------------------------------------------------------------------===//
// Load and store
//===----------------------------------------------------------------------===//

static WindowTarget targetOf(RankedTensorType Tile) {
  return {Tile.getElementType(), SmallVector<int64_t, 2>(Tile.getShape()),
          capacityOf(Tile)};
}

LogicalResult LoadOp::verify() {
  RankedTensorType Tile = getTile().getType();
  WindowTarget Target = targetOf(Tile);
  bool HasPlace = !getInset().empty();
  if (HasPlace || !getExtents().empty()) {
    bool Fits = getInset().size() == 2 && getPad() &&
                static_cast<int64_t>(getExtents().size()) ==
                    static_cast<int64_t>(Tile.getNumDynamicDims());
    if (!Fits)
      return emitOpError() << "puts the window to " << getInset().size()
                           << " indices of " << Tile << " with "
                           << getExtents().size() << " open extents (W7)";
  }
  if (Value Pad = getPad()) {
    if ((!Tile.hasStaticShape() && !HasPlace) ||
        Pad.getType() != Tile.getElementType())
      return emitOpError() << "pads with " << Pad.getType() << " into " << Tile
                           << " (W5)";
    // Padding fills what the window leaves.
    Target.Extents.assign(2, ShapedType::kDynamic);
  }
  return verifyWindow(*this, getView().getType(), getStaticOffsets(),
                      getStaticSizes(), Target);
}

void LoadOp::build(OpBuilder &Builder, OperationState &State, Type Tile,
                   Value View, ArrayRef<OpFoldResult> Offsets,
                   ArrayRef<OpFoldResult> Sizes, Value Pad, ValueRange Inset,
                   ValueRange Extents) {
  SmallVector<Value> DynamicOffsets, DynamicSizes;
  SmallVector<int64_t> StaticOffsets, StaticSizes;
  dispatchIndexOpFoldResults(Offsets, DynamicOffsets, StaticOffsets);
  dispatchIndexOpFoldResults(Sizes, DynamicSizes, StaticSizes);
  build(Builder, State, Tile, View, DynamicOffsets, DynamicSizes, Pad, Inset,
        Extents, StaticOffsets, StaticSizes);
}

LogicalResult StoreOp::verify() {
  if (failed(verifyAtomic(*this, getCombine())))
    return failure();
  return verifyWindow(*this, getView().getType(), getStaticOffsets(),
                      getStaticSizes(), targetOf(getTile().getType()));
}

void StoreOp::build(OpBuilder &Builder, OperationState &State, Value Tile,
                    Value View, ArrayRef<OpFoldResult> Offsets,
                    ArrayRef<OpFoldResult> Sizes, CombineAttr Combine) {
  SmallVector<Value> DynamicOffsets, DynamicSizes;
  SmallVector<int64_t> StaticOffsets, StaticSizes;
  dispatchIndexOpFoldResults(Offsets, DynamicOffsets, StaticOffsets);
  dispatchIndexOpFoldResults(Sizes, DynamicSizes, StaticSizes);
  build(Builder, State, Tile, View, DynamicOffsets, DynamicSizes, StaticOffsets,
        StaticSizes, Combine);
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// Constraints (G1) to (G4).
static LogicalResult verifyIndexed(Operation *Op, MemRefType View,
                                   RankedTensorType Indices,
                                   RankedTensorType Tile) {
  if (View.getRank() > 2)
    return Op->emitOpError() << "needs a view of rank 1 or 2 (G4)";
  if (View.getElementType() != Tile.getElementType())
    return Op->emitOpError() << "moves " << View.getElementType() << " as "
                             << Tile.getElementType() << " (G3)";
  Type Index = Indices.getElementType();
  auto Named = capacityOf(Indices), Capacity = capacityOf(Tile);
  bool ByRows = View.getRank() == 2;
  bool Fits = ByRows ? (Named[0] == 1 || Named[1] == 1) &&
                           Named[0] * Named[1] == Capacity[0]
                     : Named == Capacity;
  if (!(Index.isInteger(32) || Index.isInteger(64)) || !Fits)
    return Op->emitOpError()
           << "has indices " << Indices << " for " << Tile << " (G1)";
  if (ByRows && View.getDimSize(1) != Tile.getDimSize(1))
    return Op->emitOpError()
           << "takes rows of " << View << " as rows of " << Tile << " (G2)";
  return success();
}

LogicalResult GatherOp::verify() {
  return verifyIndexed(*this, getView().getType(), getIndices().getType(),
                       getTile().getType());
}

LogicalResult PrintOp::verify() {
  if (static_cast<int64_t>(getRows()) < 1 ||
      static_cast<int64_t>(getColumns()) < 1)
    return emitOpError("prints nothing (P1)");
  if (getTile().getType().getElementType().isInteger(1))
    return emitOpError("prints numbers, not truths (P2)");
  return success();
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyAtomic(*this, getCombine())))
    return failure();
  return verifyIndexed(*this, getView().getType(), getIndices().getType(),
                       getTile().getType());
}

//===----------------------------------------------------------------------===//
// Making tiles
//===----------------------------------------------------------------------===//

/// Constraint (S1).
static LogicalResult verifySizes(Operation *Op, size_t Found, size_t Needed) {
  if (Found == Needed)
    return success();
  return Op->emitOpError() << "has " << Found << " sizes where its result has "
                           << Needed << " dynamic extents (S1)";
}

/// Constraint (S2).
static LogicalResult verifyScalar(Operation *Op, Type Scalar,
                                  RankedTensorType Tile) {
  if (Scalar == Tile.getElementType())
    return success();
  return Op->emitOpError() << "makes a tile of " << Tile.getElementType()
                           << " from " << Scalar << " (S2)";
}

/// Constraint (S3).
static LogicalResult verifyDirection(Operation *Op, Axis Axis) {
  if (Axis != Axis::All)
    return success();
  return Op->emitOpError() << "goes along rows or columns, not over all (S3)";
}

LogicalResult SplatOp::verify() {
  RankedTensorType Tile = getTile().getType();
  if (failed(verifyScalar(*this, getValue().getType(), Tile)))
    return failure();
  return verifySizes(*this, getSizes().size(), Tile.getNumDynamicDims());
}

LogicalResult IotaOp::verify() {
  RankedTensorType Tile = getTile().getType();
  if (failed(verifyDirection(*this, getAxis())) ||
      failed(verifyScalar(*this, getStart().getType(), Tile)))
    return failure();
  return verifySizes(*this, getSizes().size(), Tile.getNumDynamicDims());
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType From = getSource().getType(), To = getTile().getType();
  auto Source = capacityOf(From), Result = capacityOf(To);
  size_t Repeated = 0, Dynamic = 0;
  bool Fits = From.getElementType() == To.getElementType();
  for (unsigned I : {0, 1}) {
    bool Repeats = Source[I] == 1 && Result[I] != 1;
    Repeated += Repeats;
    Dynamic += Repeats && To.isDynamicDim(I);
    Fits &= Repeats || (Source[I] == Result[I] &&
                        From.isDynamicDim(I) == To.isDynamicDim(I));
  }
  if (!Fits)
    return emitOpError() << "cannot make " << To << " from " << From << " (B1)";
  if (!Repeated)
    return emitOpError() << "repeats nothing (B2)";
  return verifySizes(*this, getSizes().size(), Dynamic);
}

//===----------------------------------------------------------------------===//
// Combining elements
//===----------------------------------------------------------------------===//

/// A tile like Source with extent 1 where Axis reduces.
static RankedTensorType reducedType(RankedTensorType Source, Axis Axis,
                                    Type Element) {
  SmallVector<int64_t, 2> Extents(Source.getShape());
  SmallVector<int64_t, 2> Capacity = capacityOf(Source);
  if (Axis != Axis::Row)
    Extents[0] = Capacity[0] = 1;
  if (Axis != Axis::Col)
    Extents[1] = Capacity[1] = 1;
  return getTileType(Element, Extents, Capacity);
}

LogicalResult
ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                           Adaptor Adaptor,
                           SmallVectorImpl<Type> &InferredReturnTypes) {
  auto Source = cast<RankedTensorType>(Adaptor.getSource().getType());
  InferredReturnTypes.push_back(
      reducedType(Source, Adaptor.getAxis(), Source.getElementType()));
  return success();
}

LogicalResult
ArgReduceOp::inferReturnTypes(MLIRContext *Context, std::optional<Location>,
                              Adaptor Adaptor,
                              SmallVectorImpl<Type> &InferredReturnTypes) {
  auto Source = cast<RankedTensorType>(Adaptor.getSource().getType());
  InferredReturnTypes.push_back(
      reducedType(Source, Adaptor.getAxis(), IntegerType::get(Context, 32)));
  return success();
}

LogicalResult ArgReduceOp::verify() {
  if (getCombine() == Combine::Max || getCombine() == Combine::Min)
    return success();
  return emitOpError() << "finds the max or the min (R2)";
}

LogicalResult ScanOp::verify() { return verifyDirection(*this, getAxis()); }

LogicalResult
TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                              Adaptor Adaptor,
                              SmallVectorImpl<Type> &InferredReturnTypes) {
  auto Source = cast<RankedTensorType>(Adaptor.getSource().getType());
  auto Capacity = capacityOf(Source);
  InferredReturnTypes.push_back(getTileType(
      Source.getElementType(), {Source.getDimSize(1), Source.getDimSize(0)},
      {Capacity[1], Capacity[0]}));
  return success();
}

LogicalResult
TakeOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                         Adaptor Adaptor,
                         SmallVectorImpl<Type> &InferredReturnTypes) {
  auto Source = cast<RankedTensorType>(Adaptor.getSource().getType());
  auto Indices = cast<RankedTensorType>(Adaptor.getIndices().getType());
  InferredReturnTypes.push_back(getTileType(
      Source.getElementType(), Indices.getShape(), capacityOf(Indices)));
  return success();
}

LogicalResult TakeOp::verify() {
  RankedTensorType Source = getSource().getType(),
                   Indices = getIndices().getType();
  if (!Indices.getElementType().isInteger(32))
    return emitOpError() << "has indices of " << Indices.getElementType()
                         << " (K1)";
  auto From = capacityOf(Source), Named = capacityOf(Indices);
  bool Known = !Source.isDynamicDim(0) && !Indices.isDynamicDim(0);
  bool Fits = From[0] == Named[0] &&
              (!Known || Source.getDimSize(0) == Indices.getDimSize(0));
  if (!Fits && From[0] != 1)
    return emitOpError() << "has indices " << Indices << " for rows of "
                         << Source << " (K2)";
  unsigned Bits = Source.getElementTypeBitWidth();
  if (Bits != 16 && Bits != 32)
    return emitOpError() << "takes elements of 16 or 32 bits, not "
                         << Source.getElementType() << " (K3)";
  return success();
}

//===----------------------------------------------------------------------===//
// Cores
//===----------------------------------------------------------------------===//

OpFoldResult CoreIndexOp::fold(FoldAdaptor) {
  return worksAlone(*this) ? OpFoldResult(Builder(getContext()).getIndexAttr(0))
                           : OpFoldResult();
}

OpFoldResult CoreCountOp::fold(FoldAdaptor) {
  return worksAlone(*this) ? OpFoldResult(Builder(getContext()).getIndexAttr(1))
                           : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Contracts
//===----------------------------------------------------------------------===//

LogicalResult ExpectsOp::verify() {
  if (isa_and_nonnull<func::FuncOp>((*this)->getParentOp()))
    return success();
  return emitOpError() << "is a condition of the launch, which no branch or "
                          "loop can decide (E1)";
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  RankedTensorType Lhs = getLhs().getType(), Rhs = getRhs().getType(),
                   Tile = getTile().getType();
  auto Left = capacityOf(Lhs), Right = capacityOf(Rhs), Sums = capacityOf(Tile);
  bool Known = !Lhs.isDynamicDim(1) && !Rhs.isDynamicDim(0);
  if (Left[1] != Right[0] || (Known && Lhs.getDimSize(1) != Rhs.getDimSize(0)))
    return emitOpError() << "cannot multiply " << Lhs << " by " << Rhs
                         << " (D1)";
  if (Lhs.getElementType() != Rhs.getElementType() ||
      sumTypeOf(Lhs.getElementType()) != Tile.getElementType())
    return emitOpError() << "adds products of " << Lhs.getElementType()
                         << " and " << Rhs.getElementType() << " up in "
                         << Tile.getElementType() << " (D2)";
  if (Sums[0] != Left[0] || Sums[1] != Right[1] ||
      Tile.getDimSize(0) != Lhs.getDimSize(0) ||
      Tile.getDimSize(1) != Rhs.getDimSize(1))
    return emitOpError() << "of " << Lhs << " and " << Rhs << " cannot be "
                         << Tile << " (D3)";
  return success();
}
