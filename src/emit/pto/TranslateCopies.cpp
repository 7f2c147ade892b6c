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
  /// Elements from one to the next, where that is not one.
  SmallVector<Value> Steps;
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

/// The same window of what a view is a part of. Fills in the source's dimension
/// for each of the view's.
void Translator::moveOut(memref::SubViewOp Part, Window &Found,
                         SmallVector<unsigned> &Dims) {
  Location Loc = Part.getLoc();
  llvm::SmallBitVector Dropped = Part.getDroppedDims();
  Window Outer = Found;
  Outer.Offsets.clear();
  Outer.Sizes.clear();
  Outer.Steps.clear();
  for (unsigned Dim = 0; Dim != Dropped.size(); ++Dim) {
    Value Start = valueOf(Loc, Part.getMixedOffsets()[Dim]);
    if (Dropped[Dim]) {
      Outer.Offsets.push_back(Start);
      Outer.Sizes.push_back(constant(Loc, 1));
      Outer.Steps.push_back({});
      continue;
    }
    unsigned Inner = Dims.size();
    Value Offset = Found.Offsets[Inner], Step = Found.Steps[Inner];
    OpFoldResult By = Part.getMixedStrides()[Dim];
    if (!isOneInteger(By)) {
      Value Stride = valueOf(Loc, By);
      Offset = arith::MulIOp::create(Builder, Loc, Offset, Stride);
      Step = Step ? arith::MulIOp::create(Builder, Loc, Step, Stride) : Stride;
    }
    Outer.Offsets.push_back(arith::AddIOp::create(Builder, Loc, Start, Offset));
    Outer.Sizes.push_back(Found.Sizes[Inner]);
    Outer.Steps.push_back(Step);
    Dims.push_back(Dim);
  }
  if (Found.Rows)
    Outer.Rows = Dims[*Found.Rows];
  Outer.Cols = Dims[Found.Cols];
  Found = std::move(Outer);
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
    Moved.Steps[Of] = Found.Steps[Dim];
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
    if (auto Cast = View.getDefiningOp<memref::CastOp>()) {
      View = Cast.getSource();
      continue;
    }
    auto Part = View.getDefiningOp<memref::SubViewOp>();
    if (!Part)
      return refuse(Op) << "has no views of another shape [not-in-pto]";
    SmallVector<unsigned> Dims;
    moveOut(Part, Found, Dims);
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
  Found.Steps.resize(Sizes.size());
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

/// The dimension along which the elements of a row lie, or those of a column.
unsigned Translator::lineOf(const Window &Of, MemRefType Buffer) {
  return Buffer.getDimSize(1) == 1 && Of.Rows ? *Of.Rows : Of.Cols;
}

/// Whether what becomes a row, or a column, does so in global memory.
bool Translator::isSideBySide(const Window &Of, MemRefType Buffer) {
  return lineOf(Of, Buffer) + 1 ==
             rankOf(cast<MemRefType>(Of.Argument.getType())) &&
         llvm::none_of(Of.Steps, [](Value Step) { return !!Step; });
}

Value Translator::makePart(Location Loc, Window &Found, MemRefType Buffer,
                           TileShape &Shape) {
  unsigned Along = lineOf(Found, Buffer);
  if (Along != Found.Cols || !Found.Rows) {
    Shape = rowOf(Buffer, Found.Sizes[Along]);
  } else {
    Shape = {Buffer.getDimSize(0), ascend::pitchOf(Buffer),
             Found.Sizes[*Found.Rows], Found.Sizes[Along]};
  }
  return partOf(Loc, Found, /*Matrix=*/false);
}

FailureOr<Value> Translator::makeMatrix(Operation *Op, Value View,
                                        ArrayRef<OpFoldResult> Offsets,
                                        ArrayRef<OpFoldResult> Sizes,
                                        Matrix &Of) {
  Window Found;
  if (failed(findWindow(Op, View, Offsets, Sizes, Found)))
    return failure();
  unsigned Rank = rankOf(cast<MemRefType>(Found.Argument.getType()));
  bool Steps = llvm::any_of(Found.Steps, [](Value Step) { return !!Step; });
  if (!Found.Rows || *Found.Rows + 2 != Rank || Found.Cols + 1 != Rank || Steps)
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

/// Element by element, by the scalar unit. Where other pipes work on the tile,
/// all of them wait.
LogicalResult Translator::loadElements(ascend::DmaInOp Op,
                                       const Window &Found) {
  Location Loc = Op.getLoc();
  auto Buffer = cast<MemRefType>(Op.getDst().getType());
  unsigned Bits = Buffer.getElementTypeBitWidth();
  if (Bits != 16 && Bits != 32)
    return refuse(Op) << "reads single elements of 16 and 32 bits [not-in-pto]";
  auto Role = Kernel.getArgAttrOfType<ascend::RoleAttr>(
      Found.Argument.getArgNumber(), ascend::AscendDialect::RoleAttrName);
  if (!Role || Role.getValue() != ascend::Role::In)
    return refuse(Op) << "reads single elements only of views that nothing "
                         "writes to [not-in-pto]";
  auto All = [&] {
    if (Who == Sync::Ours)
      pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_ALL);
  };
  All();
  Value Tile = tileAt(Op.getDst(), rowOf(Buffer, {}));
  if (Op.getPad()) {
    create(Loc, "texpands", {mapped(Op.getPad()), Tile});
    All();
  }
  auto View = cast<MemRefType>(Found.Argument.getType());
  Value Zero = constant(Loc, 0), One = constant(Loc, 1);
  auto Plus = [&](Value A, Value B) -> Value {
    return arith::AddIOp::create(Builder, Loc, A, B);
  };
  auto Times = [&](Value A, Value B) -> Value {
    return arith::MulIOp::create(Builder, Loc, A, B);
  };
  auto Inset = [&](unsigned Dim) {
    return Op.getInset().empty() ? Zero : mapped(Op.getInset()[Dim]);
  };
  OpBuilder::InsertionGuard Guard(Builder);
  Value Rows = Found.Rows ? Found.Sizes[*Found.Rows] : One;
  auto OverRows = scf::ForOp::create(Builder, Loc, Zero, Rows, One);
  Builder.setInsertionPointToStart(OverRows.getBody());
  auto OverCols =
      scf::ForOp::create(Builder, Loc, Zero, Found.Sizes[Found.Cols], One);
  Builder.setInsertionPointToStart(OverCols.getBody());
  Value R = OverRows.getInductionVar(), C = OverCols.getInductionVar();
  Value From = Zero;
  for (unsigned Dim = 0; Dim != unsigned(View.getRank()); ++Dim) {
    Value Step = Dim == Found.Rows ? R : Dim == Found.Cols ? C : Value();
    if (Step && Found.Steps[Dim])
      Step = Times(Step, Found.Steps[Dim]);
    Value Here = Found.Offsets[Dim];
    From = Plus(Times(From, extentOf(Found.Argument, Dim)),
                Step ? Plus(Here, Step) : Here);
  }
  Value Row = Times(Plus(Inset(0), R), constant(Loc, ascend::pitchOf(Buffer)));
  Value To = Plus(Row, Plus(Inset(1), C));
  Value Element = LoadScalarOp::create(Builder, Loc, View.getElementType(),
                                       mapped(Found.Argument), From);
  create(Loc, "tsetval", {To, Element, Tile});
  Builder.setInsertionPointAfter(OverRows);
  All();
  return success();
}

LogicalResult Translator::translate(ascend::DmaInOp Op) {
  auto Buffer = cast<MemRefType>(Op.getDst().getType());
  if (Buffer.getElementTypeBitWidth() < 8)
    return refuse(Op) << "copies elements of whole bytes [not-in-pto]";
  Window Found;
  if (failed(findWindow(Op, Op.getView(), Op.getMixedOffsets(),
                        Op.getMixedSizes(), Found)))
    return failure();
  if (!Op.getInset().empty() || !isSideBySide(Found, Buffer))
    return loadElements(Op, Found);
  std::optional<Pad> Rest = Op.getPad() ? padFor(Op.getPad()) : Pad::Null;
  if (!Rest)
    return refuse(Op) << "fills what a window leaves of a tile with 0 or "
                         "infinity only [not-in-pto]";
  bool Long = Buffer.getElementTypeBitWidth() > 32;
  if (Long && *Rest != Pad::Null && *Rest != Pad::Zero)
    return refuse(Op) << "fills tiles of 64 bits with 0 only [not-in-pto]";
  TileShape Shape;
  Value Part = makePart(Op.getLoc(), Found, Buffer, Shape);
  Location Loc = Op.getLoc();
  create(Loc, "tload", {Part, tileAt(Op.getDst(), Shape)});
  if (*Rest == Pad::Null)
    return success();
  // The rest is the vector unit's, which no flag of ours knows of.
  auto All = [&] {
    if (Who == Sync::Ours)
      pto::BarrierOp::create(Builder, Loc, Pipe::PIPE_ALL);
  };
  // What has 64 bits is filled as two numbers of 32.
  if (Long) {
    Shape.Element = Builder.getI32Type();
    Shape.Cols *= 2;
    Shape.ValidCols =
        arith::MulIOp::create(Builder, Loc, Shape.ValidCols, constant(Loc, 2));
  }
  TileShape Filled{Shape.Rows, Shape.Cols, {}, {}};
  Filled.Element = Shape.Element;
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
  auto Buffer = cast<MemRefType>(Op.getSrc().getType());
  if (Buffer.getElementTypeBitWidth() < 8)
    return refuse(Op) << "copies elements of whole bytes [not-in-pto]";
  Window Found;
  if (failed(findWindow(Op, Op.getView(), Op.getMixedOffsets(),
                        Op.getMixedSizes(), Found)))
    return failure();
  if (!isSideBySide(Found, Buffer))
    return refuse(Op) << "stores only what lies side by side in global memory "
                         "[not-in-pto]";
  TileShape Shape;
  Value Part = makePart(Op.getLoc(), Found, Buffer, Shape);
  create(Op.getLoc(), "tstore", {tileAt(Op.getSrc(), Shape), Part}, *How);
  return success();
}
