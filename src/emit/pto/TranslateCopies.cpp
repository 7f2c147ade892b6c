//===- TranslateCopies.cpp - Between global memory and tiles --------------===//
//
// Part of Belay, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTO's copies take windows of an argument with all its dimensions. A window of
// a view of a view is followed to the argument; dimensions that were dropped on
// the way have one element.
//
//===----------------------------------------------------------------------===//

#include "emit/pto/Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace belay;
using namespace belay::pto;

/// A window on its way to the argument: one offset and one size for each
/// dimension, and which of them are the tile's rows and columns.
struct Translator::Window {
  BlockArgument Argument;
  SmallVector<Value> Offsets, Sizes;
  std::optional<unsigned> Rows;
  unsigned Cols = 0;
};

/// The last extents that are 1 for every launch are no dimensions of PTO's
/// view: what is one column of a matrix of one column lies side by side.
static unsigned rankOf(MemRefType View) {
  unsigned Rank = View.getRank();
  while (Rank > 1 && View.getDimSize(Rank - 1) == 1)
    --Rank;
  return Rank;
}

Value Translator::viewOf(BlockArgument Argument) {
  Location Loc = Kernel.getLoc();
  auto Type = cast<MemRefType>(Argument.getType());
  unsigned Rank = rankOf(Type);
  SmallVector<Value> Shape, Strides(Rank);
  for (unsigned Dim = 0; Dim != Rank; ++Dim)
    Shape.push_back(extentOf(Argument, Dim));
  Value Stride = constant(Loc, 1);
  for (unsigned Dim = Rank; Dim-- != 0;) {
    Strides[Dim] = Stride;
    if (Dim)
      Stride = arith::MulIOp::create(Builder, Loc, Stride, Shape[Dim]);
  }
  if (Rank == 1) { // a matrix of one row
    Strides.insert(Strides.begin(), Shape[0]);
    Shape.insert(Shape.begin(), constant(Loc, 1));
  }
  SmallVector<int64_t> Open(Shape.size(), ShapedType::kDynamic);
  auto Result =
      TensorViewType::get(Builder.getContext(), Open, Type.getElementType());
  return MakeTensorViewOp::create(
      Builder, Loc, Result, mapped(Argument), Shape, Strides,
      LayoutAttr::get(Builder.getContext(), Layout::ND));
}

/// The same window of what a view is a part of.
static void moveOut(memref::SubViewOp Part, ArrayRef<Value> Starts,
                    SmallVector<Value> &Offsets, SmallVector<Value> &Sizes,
                    SmallVector<unsigned> &Dims, OpBuilder &Builder) {
  Location Loc = Part.getLoc();
  llvm::SmallBitVector Dropped = Part.getDroppedDims();
  SmallVector<Value> NewSizes, NewOffsets;
  Value One = arith::ConstantIndexOp::create(Builder, Loc, 1);
  for (unsigned Dim = 0; Dim != Dropped.size(); ++Dim) {
    if (Dropped[Dim]) {
      NewOffsets.push_back(Starts[Dim]);
      NewSizes.push_back(One);
      continue;
    }
    unsigned Inner = Dims.size();
    NewOffsets.push_back(
        arith::AddIOp::create(Builder, Loc, Starts[Dim], Offsets[Inner]));
    NewSizes.push_back(Sizes[Inner]);
    Dims.push_back(Dim);
  }
  Offsets = std::move(NewOffsets);
  Sizes = std::move(NewSizes);
}

/// The source's dimension for each of the view's.
static SmallVector<unsigned> sourceDims(memref::TransposeOp View) {
  SmallVector<unsigned> Dims;
  for (AffineExpr Dim : View.getPermutation().getResults())
    Dims.push_back(cast<AffineDimExpr>(Dim).getPosition());
  return Dims;
}

void Translator::permute(memref::TransposeOp View, Window &Found) {
  SmallVector<unsigned> Dims = sourceDims(View);
  Window Moved = Found;
  for (auto [Dim, Of] : llvm::enumerate(Dims)) {
    Moved.Offsets[Of] = Found.Offsets[Dim];
    Moved.Sizes[Of] = Found.Sizes[Dim];
  }
  if (Found.Rows)
    Moved.Rows = Dims[*Found.Rows];
  Moved.Cols = Dims[Found.Cols];
  Found = std::move(Moved);
}

LogicalResult Translator::followToArgument(Operation *Op, Value View,
                                           Window &Found) {
  while (!isa<BlockArgument>(View)) {
    if (auto Permuted = View.getDefiningOp<memref::TransposeOp>()) {
      permute(Permuted, Found);
      View = Permuted.getIn();
      continue;
    }
    auto Part = View.getDefiningOp<memref::SubViewOp>();
    if (!Part || !llvm::all_of(Part.getMixedStrides(), isOneInteger))
      return refuse(Op) << "has no views that are strided or of another shape "
                           "[not-in-pto]";
    SmallVector<Value> Starts;
    for (OpFoldResult Offset : Part.getMixedOffsets())
      Starts.push_back(valueOf(Part.getLoc(), Offset));
    SmallVector<unsigned> Dims;
    moveOut(Part, Starts, Found.Offsets, Found.Sizes, Dims, Builder);
    if (Found.Rows)
      Found.Rows = Dims[*Found.Rows];
    Found.Cols = Dims[Found.Cols];
    View = Part.getSource();
  }
  Found.Argument = cast<BlockArgument>(View);
  return success();
}

/// The first elements of a buffer in one row.
static TileShape rowOf(MemRefType Buffer, Value Count) {
  int64_t PerBlock = 256 / Buffer.getElementTypeBitWidth();
  int64_t Span = *ascend::getBufferSpan(Buffer);
  return {1, static_cast<int64_t>(llvm::alignTo(Span, PerBlock)), {}, Count};
}

LogicalResult Translator::findWindow(Operation *Op, Value View,
                                     ArrayRef<OpFoldResult> Offsets,
                                     ArrayRef<OpFoldResult> Sizes,
                                     Window &Found) {
  for (OpFoldResult Offset : Offsets)
    Found.Offsets.push_back(valueOf(Op->getLoc(), Offset));
  for (OpFoldResult Size : Sizes)
    Found.Sizes.push_back(valueOf(Op->getLoc(), Size));
  Found.Cols = Offsets.size() - 1;
  if (Offsets.size() > 1)
    Found.Rows = Offsets.size() - 2;
  return followToArgument(Op, View, Found);
}

/// With `Matrix`, only rows and columns are open: pto-isa makes fractals of two
/// dimensions, and wants that of the type.
Value Translator::partOf(Location Loc, Window &Found, bool Matrix) {
  auto View = cast<MemRefType>(Found.Argument.getType());
  unsigned Rank = rankOf(View);
  SmallVector<int64_t> Open(Rank, ShapedType::kDynamic);
  for (unsigned Dim = 0; Matrix && Dim != Rank; ++Dim)
    if (Dim != Found.Rows && Dim != Found.Cols)
      Open[Dim] = 1;
  Found.Offsets.truncate(Rank);
  Found.Sizes.truncate(Rank);
  if (Rank == 1) {
    Found.Offsets.insert(Found.Offsets.begin(), constant(Loc, 0));
    Found.Sizes.insert(Found.Sizes.begin(), constant(Loc, 1));
    Open.push_back(ShapedType::kDynamic);
  }
  auto Type = PartitionTensorViewType::get(Builder.getContext(), Open,
                                           View.getElementType());
  return PartitionViewOp::create(Builder, Loc, Type, Views[Found.Argument],
                                 Found.Offsets, Found.Sizes);
}

FailureOr<Value> Translator::makePart(Operation *Op, Value View,
                                      ArrayRef<OpFoldResult> Offsets,
                                      ArrayRef<OpFoldResult> Sizes,
                                      MemRefType Buffer, TileShape &Shape) {
  if (Buffer.getElementTypeBitWidth() < 8)
    return refuse(Op) << "copies elements of whole bytes [not-in-pto]";
  Window Found;
  if (failed(findWindow(Op, View, Offsets, Sizes, Found)))
    return failure();
  unsigned Rank = rankOf(cast<MemRefType>(Found.Argument.getType()));
  bool OneColumn = Buffer.getDimSize(1) == 1 && Found.Rows;
  // What becomes a column has to lie side by side.
  unsigned Along = OneColumn ? *Found.Rows : Found.Cols;
  if (Along + 1 != Rank)
    return refuse(Op) << "copies only what lies side by side in global memory "
                         "[not-in-pto]";
  if (OneColumn || !Found.Rows) {
    Shape = rowOf(Buffer, Found.Sizes[Along]);
  } else {
    Shape = {Buffer.getDimSize(0), ascend::pitchOf(Buffer),
             Found.Sizes[*Found.Rows], Found.Sizes[Along]};
  }
  return partOf(Op->getLoc(), Found, /*Matrix=*/false);
}

FailureOr<Value> Translator::makeMatrix(Operation *Op, Value View,
                                        ArrayRef<OpFoldResult> Offsets,
                                        ArrayRef<OpFoldResult> Sizes,
                                        Matrix &Of) {
  Window Found;
  if (failed(findWindow(Op, View, Offsets, Sizes, Found)))
    return failure();
  unsigned Rank = rankOf(cast<MemRefType>(Found.Argument.getType()));
  if (!Found.Rows || *Found.Rows + 2 != Rank || Found.Cols + 1 != Rank)
    return refuse(Op) << "has matrices whose rows lie side by side in global "
                         "memory, one after the other [not-in-pto]";
  Of = {Found.Sizes[*Found.Rows], Found.Sizes[Found.Cols],
        extentOf(Found.Argument, Found.Cols)};
  return partOf(Op->getLoc(), Found, /*Matrix=*/true);
}

/// The padding that is a number, if there is one. Integers have only zero:
/// their highest and lowest are not what the simulator and the device agree on.
static std::optional<Pad> padFor(Value Number) {
  Attribute Constant;
  if (!matchPattern(Number, m_Constant(&Constant)))
    return std::nullopt;
  if (auto Integer = dyn_cast<IntegerAttr>(Constant))
    return Integer.getValue().isZero() ? std::optional(Pad::Zero)
                                       : std::nullopt;
  auto Float = dyn_cast<FloatAttr>(Constant);
  if (!Float)
    return std::nullopt;
  if (Float.getValue().isPosZero())
    return Pad::Zero;
  if (!Float.getValue().isInfinity())
    return std::nullopt;
  return Float.getValue().isNegative() ? Pad::Min : Pad::Max;
}

LogicalResult Translator::translate(ascend::DmaInOp Op) {
  if (!Op.getInset().empty())
    return refuse(Op) << "copies to the beginning of a tile only [not-in-pto]";
  std::optional<Pad> Rest = Op.getPad() ? padFor(Op.getPad()) : Pad::Null;
  if (!Rest)
    return refuse(Op) << "fills what a window leaves of a tile with 0 or "
                         "infinity only [not-in-pto]";
  TileShape Shape;
  auto Buffer = cast<MemRefType>(Op.getDst().getType());
  if (*Rest != Pad::Null && Buffer.getElementTypeBitWidth() > 32)
    return refuse(Op) << "fills tiles of at most 32 bits [not-in-pto]";
  FailureOr<Value> Part = makePart(Op, Op.getView(), Op.getMixedOffsets(),
                                   Op.getMixedSizes(), Buffer, Shape);
  if (failed(Part))
    return failure();
  Location Loc = Op.getLoc();
  create(Loc, "tload", {*Part, tileAt(Op.getDst(), Shape)});
  if (*Rest == Pad::Null)
    return success();
  // The rest is the vector unit's, which no flag of ours knows of.
  auto All = [&] {
    if (Who == Sync::Ours)
      pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_ALL);
  };
  TileShape Filled{Shape.Rows, Shape.Cols, {}, {}};
  Filled.Value = *Rest;
  All();
  Value Source = tileAt(Op.getDst(), Shape);
  create(Loc, "tfillpad_inplace", {Source, tileAt(Op.getDst(), Filled)});
  All();
  return success();
}

/// What a store says of how it combines with what is there.
FailureOr<SmallVector<NamedAttribute>>
Translator::combining(Operation *Op, std::optional<ascend::Combine> How) {
  SmallVector<NamedAttribute> Attrs;
  if (!How)
    return Attrs;
  if (*How != ascend::Combine::Sum)
    return refuse(Op) << "combines by sums only [not-in-pto]";
  Attrs.push_back(Builder.getNamedAttr(
      "atomicType",
      AtomicTypeAttr::get(Builder.getContext(), AtomicType::Add)));
  return Attrs;
}

LogicalResult Translator::translate(ascend::DmaOutOp Op) {
  FailureOr<SmallVector<NamedAttribute>> How = combining(Op, Op.getCombine());
  if (failed(How))
    return failure();
  TileShape Shape;
  auto Buffer = cast<MemRefType>(Op.getSrc().getType());
  FailureOr<Value> Part = makePart(Op, Op.getView(), Op.getMixedOffsets(),
                                   Op.getMixedSizes(), Buffer, Shape);
  if (failed(Part))
    return failure();
  create(Op.getLoc(), "tstore", {tileAt(Op.getSrc(), Shape), *Part}, *How);
  return success();
}
